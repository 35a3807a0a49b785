import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere, unlessMissing } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Adoption } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import { notThere } from './absent-problem.ts';
import { settleCommitted } from './committed.ts';
import { findSpillFiles, isOf } from './import-spill.ts';
import { acquireLock, type Lock } from './lock.ts';
import { fileNamedIn, readPointer } from './pointer.ts';
import { openToWrite } from './open-to-write.ts';
import { decisionsBeside, type StatePaths, statePaths } from './work-folder.ts';
import type { Closed, WriteOptions } from './write-session.ts';

interface Move {
  readonly from: StatePaths;
  readonly to: StatePaths;
}

/**
 * Opens a log under its old name while both names are locked. Closing it renames it, if something was recorded. A name that only
 * says in which file the log is stands for that file.
 */
export async function adoptLog(
  names: { readonly from: string; readonly to: string },
  options: Omit<WriteOptions, 'stateFile'>,
): Promise<Result<Adoption, FatalProblem>> {
  const to = statePaths(names.to);
  const named = statePaths(names.from);
  const pointer = await readPointer(named);
  if (!pointer.ok) return pointer;
  const elsewhere =
    pointer.value.type === 'pointer' ? fileNamedIn(named, pointer.value.header.movedTo) : undefined;
  const from = statePaths(elsewhere ?? names.from);
  const problem = await whyNotAdopted({ from, to });
  if (problem) return err(problem);
  // The lock of the new name, which no log has yet.
  const locked = await acquireLock(to, options);
  if (!locked.ok) return locked;
  const lock = locked.value;
  const opened = await openToWrite({
    ...options,
    stateFile: from.file,
    allow: ['foreign'],
    async beforeRelease(closed) {
      await takeName({ from, to }, closed, { ...options, lock });
      if (named.file !== from.file && named.file !== to.file) await fs.rm(named.file);
    },
  });
  if (!opened.ok) {
    await lock.release();
    return opened;
  }
  const open = opened.value;
  return ok({
    ...open,
    from: from.file,
    to: to.file,
    succeeds: lock.checkpoint !== undefined && lock.checkpoint.lineage !== open.header.lineage,
    async close(how) {
      try {
        await open.close(how);
      } finally {
        await lock.release();
      }
    },
  });
}

/** Also of a file that only says where the log is. */
export async function whyNotTaken({ from, to }: Move): Promise<FatalProblem | undefined> {
  const there = await readPointer(to);
  if (!there.ok) return there.error;
  const isThisOne =
    there.value.type === 'pointer' && fileNamedIn(to, there.value.header.movedTo) === from.file;
  if (from.file === to.file || !(there.value.type === 'nothing' || isThisOne)) {
    const detail = `${to.file} is there: it is the state of this manifest and environment. To put another one in its place, move it away first.`;
    return { code: 'state-exists', exit: EXIT.usage, summary: 'There is a state', detail };
  }
  if (!(await isThere(from.file))) return notThere(from.file);
  const [theirs, ours] = [decisionsBeside(from.file), decisionsBeside(to.file)];
  if (!(await isThere(theirs)) || !(await isThere(ours)) || theirs === ours) return undefined;
  const detail = `${ours} is there, and ${theirs} has what was decided about the posts of this state. Nothing was changed. Write all verdicts into one of the two, the newest last, and remove the other.`;
  return { code: 'decisions-exist', exit: EXIT.usage, summary: 'There are two files of decisions', detail };
}

async function whyNotAdopted({ from, to }: Move): Promise<FatalProblem | undefined> {
  const problem = await whyNotTaken({ from, to });
  if (problem) return problem;
  // A rename is atomic only within one file system.
  const [here, there] = await Promise.all([fs.stat(from.home), fs.stat(to.home)]);
  if (here.dev === there.dev) return undefined;
  const detail =
    `${from.file} lies on another file system than ${to.folder}, so it cannot get its new name in one step. Nothing was ` +
    'changed. Move it to that folder first, with `mv` and under any name, then use that file; or leave it there and ' +
    'name it with --state.';
  return { code: 'other-disk', exit: EXIT.cannotWrite, summary: 'The state lies on another disk', detail };
}

/**
 * Renames a log that is closed and already bound, if nothing has the new name. After a crash before the rename the log
 * is found under its old name; after a crash behind it, only the notes about the old name are out of date.
 */
async function takeName(
  { from, to }: Move,
  { lineage, end, lock: own }: Closed,
  { lock, witnesses }: Omit<WriteOptions, 'stateFile'> & { readonly lock: Lock },
): Promise<void> {
  if (await whyNotTaken({ from, to })) throw new ReplacedError(`${to.file} was made meanwhile`);
  const committed = await witnesses.committed(to);
  // Before the state, because after a crash in between it can be adopted once more: what was approved must stay so.
  await fs.rename(decisionsBeside(from.file), decisionsBeside(to.file)).catch(unlessMissing);
  await fs.rename(from.file, to.file);
  await syncFolder(to.folder);
  await syncFolder(from.folder);
  await lock.remember(lineage, end);
  if (committed.type === 'log' && committed.checkpoint.lineage !== lineage)
    await settleCommitted(to, committed);
  await takeAlong(lineage, { from, to });
  await fs.rm(from.committed, { force: true });
  await own.forget();
}

async function takeAlong(lineage: string, { from, to }: Move): Promise<void> {
  if (from.work === to.work) return;
  for (const spill of await findSpillFiles(from)) {
    if (!isOf(lineage, spill)) continue;
    await fs.rename(spill.file, path.join(to.work, path.basename(spill.file)));
    await syncFolder(to.work);
  }
}
