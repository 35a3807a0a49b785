/**
 * What is known about a log from elsewhere: the checkpoints of this machine and of git's HEAD, and spill files. It
 * decides whether a log may be used, or a new one begun.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import type { FatalProblem } from '../../model/problem.ts';
import type { StateIdentity } from '../store.ts';
import { elsewhere, empty, goneSinceCommit, notThere, unseen } from './absent-problem.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Committed } from './committed.ts';
import { checkpointOf, findSpillFiles, isOf, type SpillFile, whyNotFor } from './import-spill.ts';
import { divergenceFrom, loadLog, type LoadedLog } from './load-log.ts';
import { readCheckpoint } from './lock.ts';
import { fileNamedIn, readPointer } from './pointer.ts';
import { openStateFile } from './state-file.ts';
import { diverged, divergedFromHead, inOwnPlace, movedAway, unproved, vanished } from './state-problem.ts';
import type { Witnesses } from './witnesses.ts';
import type { StatePaths } from './work-folder.ts';

export interface ReadOptions {
  /** Symbolic links are refused, also for its folder. */
  readonly stateFile: string;
  /** The place beside the manifest, for a state that was named elsewhere. */
  readonly beside?: StatePaths | undefined;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
}

export type KnownLog = Awaited<ReturnType<typeof lookAround>>;

/** `checkpoint` is that of the lock file. */
export async function lookAround(
  paths: StatePaths,
  { identity, witnesses, beside }: ReadOptions,
  checkpoint: Checkpoint | undefined,
) {
  /** Of this log and of others. */
  const spilled = await findSpillFiles(paths);
  const committed = await witnesses.committed(paths);
  const pointer = beside && (await readPointer(beside));
  return { paths, identity, witnesses, checkpoint, committed, spilled, beside, pointer };
}

export function spilledOf({ spilled }: KnownLog, { header }: LoadedLog): SpillFile[] {
  return spilled.filter((file) => isOf(header?.lineage, file));
}

interface NotNew {
  /** Why a path without a log is not that of a new campaign: a new log would pay for everything again. */
  readonly problem?: FatalProblem | undefined;
  readonly warnings: readonly string[];
}

/** Where somebody has said that it begins anew. */
export const ANEW: NotNew = { warnings: [] };

export async function whyNotNew({ isThere }: LoadedLog, known: KnownLog): Promise<NotNew> {
  const { paths, witnesses, identity, checkpoint, committed } = known;
  const forgotten = await whyForgotten(known);
  if (forgotten) return refused(forgotten);
  if (!checkpoint && isThere) return refused(empty(paths.file));
  if (!checkpoint && hasHead(committed)) return refused(goneSinceCommit(paths.file));
  const { found, warnings, unasked = committed } = await witnesses.others(paths, identity);
  // It may have been moved by hand.
  const moved = checkpoint ? await firstOf(found, ({ file }) => goesOn(file, checkpoint)) : found[0];
  if (moved) return refused(elsewhere(paths.file, moved));
  if (checkpoint) return refused(await namingReplaced(vanished(paths.file), paths, checkpoint));
  if (unasked.type !== 'unasked' || identity.baseUrl === EMULATOR) return { warnings };
  return refused(unseen(paths.file, unasked));
}

function refused(problem: FatalProblem): NotNew {
  return { problem, warnings: [] };
}

async function firstOf<T>(list: readonly T[], fits: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of list) if (await fits(one)) return one;
  return undefined;
}

/** For a state that was named and is not there: the place beside the manifest knows the campaign. */
async function whyForgotten({
  paths,
  beside,
  pointer,
  witnesses,
}: KnownLog): Promise<FatalProblem | undefined> {
  if (!beside || !pointer) return undefined;
  if (!pointer.ok) return pointer.error;
  switch (pointer.value.type) {
    case 'other':
      return inOwnPlace(paths.file, beside.file);
    case 'pointer': {
      const { movedTo } = pointer.value.header;
      const isHere = fileNamedIn(beside, movedTo) === paths.file;
      return isHere ? notThere(paths.file) : movedAway(beside.file, movedTo);
    }
    case 'nothing':
      if (await readCheckpoint(beside.lock)) return vanished(beside.file);
      return hasHead(await witnesses.committed(beside)) ? goneSinceCommit(beside.file) : undefined;
  }
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
  const { paths, checkpoint, committed, identity, beside, pointer } = known;
  if (beside && pointer) {
    if (!pointer.ok) return pointer.error;
    if (pointer.value.type === 'other') return inOwnPlace(paths.file, beside.file);
    const split = pointer.value.type === 'pointer' && divergenceFrom(log, pointer.value.head);
    if (split) return diverged(paths.file, split);
  }
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
