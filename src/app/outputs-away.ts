/** Renames that have to wait, because the disk with the results is not mounted, or this is a clone without them. */
import { resolve } from 'node:path';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { count } from '../util/count.ts';
import { isThere } from '../util/new-file.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';

/** Files on another disk, or of another clone, keep their names until a run finds them. */
export async function withFilesThatAreHere(
  { emit }: Runtime,
  { campaign, plan, state }: { campaign: Campaign; plan: Plan; state: RunState },
): Promise<Plan> {
  const { folder, outputs } = campaign.manifest;
  const { length } = plan.fileMoves;
  if (!outputs || !length || !(await areOutputsAway(folder, state))) return plan;
  const summary = `No result is in ${outputs.dir} (is a disk missing?): ${count(length, 'file')} not renamed yet`;
  emit({ type: 'warning', summary });
  return { ...plan, fileMoves: [] };
}

/** Renames in the state alone would name no files. */
async function areOutputsAway(folder: string, { media }: RunState): Promise<boolean> {
  const files = [...media.values()].flatMap(({ takes }) => takes.flatMap((take) => take.files ?? []));
  for (const { path } of files) if (await isThere(resolve(folder, path))) return false;
  return true;
}
