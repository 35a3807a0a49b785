import { resolve } from 'node:path';
import type { OutputFile } from '../model/payload.ts';
import type { RunState } from '../model/run-state.ts';
import type { Missing } from '../plan/draft-plan.ts';
import type { Campaign } from './campaign.ts';
import type { PlanWishes } from './plan-wishes.ts';
import type { Runtime } from './runtime.ts';

/**
 * What `--recreate-missing` makes again: objects that are gone, and posts that are gone and whose files are not here. A
 * machine that has no file at all (a disk is missing, or this is a fresh clone) misses none.
 */
export function missingOf(
  { disk }: Pick<Runtime, 'disk'>,
  { manifest: { folder }, files: storage }: Pick<Campaign, 'manifest' | 'files'>,
  { state, wishes }: { readonly state: RunState; readonly wishes: PlanWishes },
): Missing | undefined {
  if (!wishes.recreateMissing) return undefined;
  const unclear = new Set(wishes.unclear);
  const isHere = ({ path }: OutputFile) => disk.stat(resolve(folder, path)).type === 'file';
  let away: boolean | undefined;
  const areAllAway = () => (away ??= !filesOf(state).some(isHere));
  return {
    objects: ({ result }) => !(result && 'id' in result && unclear.has(result.id)),
    takes: ({ status, goneAt, result, files = [] }) => {
      if (status === 'lost') return true;
      if (status !== 'done' || goneAt === undefined || !files.length) return false;
      // In a storage they outlive the post.
      if (storage !== undefined) return false;
      return !unclear.has(result?.id ?? '') && !files.every(isHere) && !areAllAway();
    },
  };
}

function filesOf({ media }: RunState): OutputFile[] {
  return [...media.values()].flatMap(({ takes }) => takes.flatMap(({ files = [] }) => files));
}
