import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import type { FatalProblem } from '../model/problem.ts';
import { openStore, type StatePlace } from '../store/open-store.ts';
import { err, type Result } from '../util/result.ts';
import type { CampaignSource } from './campaign.ts';
import { manifestsIn } from './other-manifest.ts';
import type { Runtime } from './runtime.ts';

type Named = Pick<Manifest, 'name' | 'environment'>;

/** Where a campaign has its state. */
export function storeOf(
  { env, seen }: Pick<Runtime, 'env' | 'seen'>,
  { file, state, need }: Pick<CampaignSource, 'file' | 'state' | 'need'>,
  manifest: Named,
): Result<StatePlace, FatalProblem> {
  const named = state || env['CAMPAIGN_STATE'];
  if (file === STDIN && !named && need === 'environment') return err(NO_STATE_NAMED);
  return openStore({ manifest: file, identity: identityOf(manifest), named, env, manifestsIn, seen });
}

const NO_STATE_NAMED: FatalProblem = {
  code: 'no-state-file',
  exit: EXIT.usage,
  summary: 'No file for the state',
  detail:
    'The state lies beside the manifest, and a manifest on standard input has no such place. Name the file with --state ' +
    '(or CAMPAIGN_STATE), and name the same one each time: without its state, everything would be made again.',
};

export function identityOf({ name, environment }: Named) {
  const baseUrl = environment.baseUrl.replace(/\/+$/, '');
  return { campaign: name, environment: environment.name, baseUrl };
}
