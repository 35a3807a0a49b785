import type { OpenState } from '../store/store.ts';
import { err, type Result } from '../util/result.ts';
import { loadCampaign } from './load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { Refusal } from '../model/problem.ts';
import type { Output } from '../cli/output.ts';
import { readState } from './read-state.ts';

/** The state that belongs to a manifest, for reading. */
export async function openNamedState(
  file: string,
  options: SharedOptions,
  output: Output,
): Promise<Result<OpenState, Refusal>> {
  const campaign = await loadCampaign(file, options, { need: 'environment', output });
  return campaign.ok ? readState(campaign.value, output) : err(campaign.error);
}
