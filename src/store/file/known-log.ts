/**
 * What is known about a log from elsewhere: the checkpoints of this machine and of git's HEAD, and spill files. It
 * decides whether a log may be used, or a new one begun.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import type { FatalProblem } from '../../model/problem.ts';
import type { StateIdentity } from '../store.ts';
import { elsewhere, empty, goneSinceCommit, unseen } from './absent-problem.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Committed } from './committed.ts';
import { checkpointOf, findSpillFiles, isOf, type SpillFile, whyNotFor } from './import-spill.ts';
import { divergenceFrom, loadLog, type LoadedLog } from './load-log.ts';
import { openStateFile } from './state-file.ts';
import { diverged, divergedFromHead, unproved, vanished } from './state-problem.ts';
import type { Witnesses } from './witnesses.ts';
import type { StatePaths } from './work-folder.ts';

export interface ReadOptions {
  /** Symbolic links are refused, also for its folder. */
  readonly stateFile: string;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
}

export type KnownLog = Awaited<ReturnType<typeof lookAround>>;

/** `checkpoint` is that of the lock file. */
export async function lookAround(
  paths: StatePaths,
  { identity, witnesses }: ReadOptions,
  checkpoint: Checkpoint | undefined,
) {
  /** Of this log and of others. */
  const spilled = await findSpillFiles(paths);
  const committed = await witnesses.committed(paths);
  return { paths, identity, witnesses, checkpoint, committed, spilled };
}

export function spilledOf({ spilled }: KnownLog, { header }: LoadedLog): SpillFile[] {
  return spilled.filter((file) => isOf(header?.lineage, file));
}

/** Why a path without a log is not that of a new campaign: a new log would pay for everything again. */
export async function whyNotNew(
  { isThere }: LoadedLog,
  { paths, witnesses, identity, checkpoint, committed }: KnownLog,
): Promise<FatalProblem | undefined> {
  if (checkpoint) {
    // It was moved there by hand, or to another name by `state move`.
    const { found } = await witnesses.neighbours(paths, identity);
    for (const neighbour of found)
      if (!neighbour.isGone && (await goesOn(neighbour.file, checkpoint)))
        return elsewhere(paths.file, { neighbour, target: witnesses.target });
    return namingReplaced(vanished(paths.file), paths, checkpoint);
  }
  if (isThere) return empty(paths.file);
  if (hasHead(committed)) return goneSinceCommit(paths.file);
  const { found, unasked = committed } = await witnesses.neighbours(paths, identity);
  const [neighbour] = found;
  if (neighbour) return elsewhere(paths.file, { neighbour, target: witnesses.target });
  if (unasked.type !== 'unasked' || identity.baseUrl === EMULATOR) return undefined;
  return unseen(paths.file, unasked);
}

/** Whether git's HEAD has the state, and nobody has decided that it does not count. */
function hasHead(committed: Committed): boolean {
  switch (committed.type) {
    case 'none':
      return false;
    case 'log':
      return !committed.isSettled;
    case 'unread':
      return true;
    case 'unasked':
      return committed.isThere === true;
  }
}

/** Why a log may not be the copy that counts; undefined where it continues from everything that is known of it. */
export async function findSplit(log: LoadedLog, known: KnownLog): Promise<FatalProblem | undefined> {
  const { paths, checkpoint, committed, identity } = known;
  const divergence = checkpoint && divergenceFrom(log, checkpoint);
  if (divergence) return namingReplaced(diverged(paths.file, divergence), paths, checkpoint);
  for (const file of spilledOf(known, log)) {
    const end = checkpointOf(file);
    const problem = end && whyNotFor(log, file, end);
    if (problem) return namingReplaced(problem, paths, end);
  }
  // It may be an older one, or one that was cut off, and only this machine's memory could tell.
  if (committed.type === 'unasked' && !checkpoint?.last && identity.baseUrl !== EMULATOR)
    return unproved(paths.file, committed);
  // Somebody may have decided about it until the next commit.
  if (committed.type !== 'log' || committed.isSettled) return undefined;
  const apart = divergenceFrom(log, committed.checkpoint);
  return apart && divergedFromHead(paths.file, apart);
}

/** The same problem, naming the copy of a log that a run kept and that continues from a checkpoint (log-writer.ts). */
async function namingReplaced(
  problem: FatalProblem,
  paths: StatePaths,
  checkpoint: Checkpoint,
): Promise<FatalProblem> {
  const prefix = path.basename(paths.replaced(''));
  for (const name of await fs.readdir(paths.work)) {
    const file = path.join(paths.work, name);
    if (name.startsWith(prefix) && (await goesOn(file, checkpoint)))
      return { ...problem, detail: `${problem.detail} A log that goes on from there is kept in ${file}.` };
  }
  return problem;
}

async function goesOn(file: string, checkpoint: Checkpoint): Promise<boolean> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok || !opened.value) return false;
  try {
    const loaded = await loadLog(opened.value, { file });
    return loaded.ok && loaded.value.header !== undefined && !divergenceFrom(loaded.value, checkpoint);
  } finally {
    await opened.value.close();
  }
}
