import type { Manifest } from '../manifest/manifest.ts';
import type { FatalProblem } from '../model/problem.ts';
import { openStore, type StatePlace } from '../store/open-store.ts';
import type { Result } from '../util/result.ts';
import type { CampaignSource } from './campaign.ts';
import type { Runtime } from './runtime.ts';

type Named = Pick<Manifest, 'name' | 'environment'>;

/** Where a campaign has its state. */
export function storeOf(
  { env }: Pick<Runtime, 'env'>,
  { file, state, target }: CampaignSource,
  manifest: Named,
): Result<StatePlace, FatalProblem> {
  const named = state || env['CAMPAIGN_STATE'];
  return openStore({ manifest: file, identity: identityOf(manifest), named, env, target });
}

export function identityOf({ name, environment }: Named) {
  const baseUrl = environment.baseUrl.replace(/\/+$/, '');
  return { campaign: name, environment: environment.name, baseUrl };
}
