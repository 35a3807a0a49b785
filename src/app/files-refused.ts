import type { Plan } from '../model/plan.ts';
import { type FatalProblem, refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Campaign } from './campaign.ts';
import type { CampaignStorage } from './open-storage.ts';
import { outputsRefused } from './output-index.ts';
import type { Runtime } from './runtime.ts';

interface Planned {
  readonly plan: Plan;
  readonly state: RunState;
  readonly storage: CampaignStorage | undefined;
  /** Why it is not known which records of the log the storage knows. */
  readonly unread?: FatalProblem | undefined;
}

/** Why the files of a plan have no place, known before anything is sent for them. Photos are in the storage then. */
export async function filesRefused(
  runtime: Runtime,
  { manifest }: Campaign,
  { plan, state, storage, unread }: Planned,
): Promise<Refusal | undefined> {
  if (!storage) return outputsRefused(runtime.disk, manifest, plan, state);
  if (plan.nodes.isEmpty) return undefined;
  if (unread) return refusal(unread.exit, unread);
  const { putPhotos } = await import('./put-photos.ts');
  const problem = await putPhotos(runtime, { manifest, store: storage.objects, plan });
  return problem && refusal(problem.exit, problem);
}
