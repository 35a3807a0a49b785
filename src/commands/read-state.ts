import type { Environment, Manifest } from '../manifest/manifest.ts';
import { openState, type OpenState } from '../state/open-state.ts';
import type { StateProblem } from '../state/state-problem.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './load-campaign.ts';
import { type Refusal, refusal } from './output.ts';

/** Reads the state of a campaign, without a lock; no state yet is an empty one. */
export async function readState({ manifest, stateFile }: Campaign): Promise<Result<OpenState, Refusal>> {
  const opened = await openState({ mode: 'read', stateFile, identity: identityOf(manifest) });
  return opened.ok ? opened : err(stateRefusal(opened.error));
}

/** What a state belongs to. */
export function identityOf({ name, environment }: Manifest) {
  return { campaign: name, environment: environment.name, baseUrl: normalised(environment) };
}

function normalised({ baseUrl }: Environment): string {
  return baseUrl.replace(/\/+$/, '');
}

/** A problem of the state as users get it. */
export function stateRefusal({ code, exit, summary, detail }: StateProblem): Refusal {
  return refusal(exit, { code: `state-${code}`, summary, detail });
}
