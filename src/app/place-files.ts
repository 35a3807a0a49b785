import path from 'node:path';
import type { Plan } from '../model/plan.ts';
import { type FatalProblem, refusal, type Refusal } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { holdOutputs, type Holding, touchesOutputs } from './hold-outputs.ts';
import type { OutputHold } from './lock-folder.ts';
import type { CampaignStorage } from './open-storage.ts';
import { outputsRefused, type Recorded } from './output-index.ts';
import type { Runtime } from './runtime.ts';

interface Planned {
  readonly plan: Plan;
  readonly recorded: Recorded;
  readonly storage: CampaignStorage | undefined;
  /** Why it is not known which records of the log the storage knows. */
  readonly unread?: FatalProblem | undefined;
}

/**
 * Gives the files of a plan their place, before anything is sent for them: the output folder is this run's alone. Photos are
 * in the storage then, if there is one; in the folder are only copies of what it has.
 */
export async function placeFiles(
  runtime: Runtime,
  { manifest, store }: Campaign,
  { plan, recorded, storage, unread }: Planned,
  waiting: Omit<Holding, 'recorded' | 'together'>,
): Promise<Result<OutputHold | undefined, Refusal>> {
  const { disk } = runtime;
  const refused = storage
    ? await photosRefused(runtime, manifest, { plan, storage, unread })
    : await outputsRefused(disk, manifest, plan, recorded);
  if (refused) return err(refused);
  const { folder, outputs } = manifest;
  if (!outputs || !touchesOutputs(plan)) return ok(undefined);
  if (storage && disk.stat(path.resolve(folder, outputs.dir)).type === 'nothing') return ok(undefined);
  return holdOutputs(runtime, manifest, { ...waiting, recorded, together: !store.inFile });
}

async function photosRefused(
  runtime: Runtime,
  manifest: Campaign['manifest'],
  { plan, storage, unread }: Pick<Planned, 'plan' | 'unread'> & { readonly storage: CampaignStorage },
): Promise<Refusal | undefined> {
  if (plan.nodes.isEmpty) return undefined;
  if (unread) return refusal(unread.exit, unread);
  const { putPhotos } = await import('./put-photos.ts');
  const problem = await putPhotos(runtime, { manifest, store: storage.objects, plan });
  return problem && refusal(problem.exit, problem);
}
