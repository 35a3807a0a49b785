import type { Refusal } from '../model/problem.ts';
import { type MovedStore, moveStore } from '../store/open-store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { writingOf } from './open-for-run.ts';
import { stateRefusal } from './read-state.ts';
import { manifestsIn } from './other-manifest.ts';
import type { Runtime } from './runtime.ts';
import { identityOf } from './state-place.ts';

interface Moving {
  /** Where the state is, as it was named; undefined for the file beside the manifest. */
  readonly named: string | undefined;
  readonly to: string;
  readonly lockTimeoutMs: number;
}

/** Moves a state between a file and a database. The side left behind refuses every command from then on. */
export async function moveState(
  runtime: Runtime,
  campaign: Campaign,
  { named, to, lockTimeoutMs }: Moving,
): Promise<Result<MovedStore, Refusal>> {
  const { manifest } = campaign;
  const run = writingOf(runtime, campaign, { command: 'state move', lockTimeoutMs });
  const place = { manifest: manifest.file, identity: identityOf(manifest), env: runtime.env, manifestsIn };
  const moved = await moveStore(
    { ...place, from: campaign, named: named || runtime.env['CAMPAIGN_STATE'], to },
    run,
  );
  return moved.ok ? ok(moved.value) : err(stateRefusal(moved.error, campaign));
}
