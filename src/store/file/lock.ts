/**
 * One writer at a time: an exclusive kernel lock on a file that is never deleted, so that it is free at once when its
 * holder ends, however it ends. The content of the lock file is the checkpoint of the state (checkpoint.ts). The name
 * of the holder is in a file beside it, for messages only.
 */
import { constants, existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { RecordPlace } from '../../log/log-record.ts';
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { LOCK_FLAGS, nameHolder, nativeLocks, putUpSign, tryUntil } from '../../util/kernel-lock.ts';
import { otherThanFile, readSmall, readSmallFile, unlessMissing } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Locking } from '../store.ts';
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import { notAFile, unlessRefused } from './state-problem.ts';
import { makeWorkFolder, placeProblem, type StatePaths } from './work-folder.ts';

export type Lock = ReturnType<typeof held>;

/** Takes the lock of a place, whether or not there is a state yet; with no time to wait it tries once. */
export function acquireLock(paths: StatePaths, locking: Locking): Promise<Result<Lock, FatalProblem>> {
  return unlessRefused('unwritable', paths.file, async () => {
    const problem = await placeProblem(paths);
    if (problem) return err(problem);
    const made = await makeWorkFolder(paths.work);
    return made.ok ? lockFile(paths, locking) : made;
  });
}

async function lockFile(paths: StatePaths, locking: Locking): Promise<Result<Lock, FatalProblem>> {
  const flags = LOCK_FLAGS | constants.O_CREAT;
  const file = await fs.open(paths.lock, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') return undefined;
    throw error;
  });
  if (!file) return err(notAFile(paths.lock, 'it is a symbolic link'));
  let isHeld = false;
  try {
    const what = otherThanFile(await file.stat());
    if (what !== undefined) return err(notAFile(paths.lock, `it is ${what}`));
    if (!(await tryUntil(file.fd, locking))) return err(await locked(paths));
    const checkpoint = decodeCheckpoint(await readSmall(file));
    const sign = await putUpSign(paths.holder, locking);
    isHeld = true;
    return ok(held({ file, sign }, paths, checkpoint));
  } finally {
    if (!isHeld) await file.close();
  }
}

export async function readCheckpoint(lockFile: string): Promise<Checkpoint | undefined> {
  return decodeCheckpoint((await readSmallFile(lockFile).catch(unlessMissing)) ?? '');
}

export async function underLock<T>(
  paths: StatePaths,
  locking: Locking,
  work: (lock: Lock) => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  const taken = await acquireLock(paths, locking);
  if (!taken.ok) return taken;
  return unlessRefused('unwritable', paths.file, async () => {
    try {
      return await work(taken.value);
    } finally {
      await taken.value.release();
    }
  });
}

function held(
  { file, sign }: { readonly file: fs.FileHandle; readonly sign: fs.FileHandle },
  paths: StatePaths,
  checkpoint: Checkpoint | undefined,
) {
  let durable = checkpoint?.last && encodeCheckpoint(checkpoint.lineage, checkpoint.last);
  return {
    /** Of the state before this holder; undefined where there never was one. */
    checkpoint,
    async remember(lineage: string, last: RecordPlace): Promise<void> {
      const content = encodeCheckpoint(lineage, last);
      if (content === durable) return;
      durable = undefined;
      await file.write(content, 0);
      await file.truncate(Buffer.byteLength(content));
      await file.sync();
      await syncFolder(path.dirname(paths.lock));
      durable = content;
    },
    /** As `remember`, while a run goes on: it survives the end of the process, but not a power cut. Never fails. */
    async note(lineage: string, last: RecordPlace): Promise<void> {
      durable = undefined;
      await file.write(encodeCheckpoint(lineage, last), 0).catch(() => undefined);
    },
    /** There is no state of this name any more, on purpose. */
    async forget(): Promise<void> {
      durable = undefined;
      await file.truncate(0);
      await file.sync();
    },
    async release(): Promise<void> {
      try {
        await fs.rm(paths.holder, { force: true });
      } finally {
        await sign.close();
        await file.close();
      }
    },
  };
}

async function locked(paths: StatePaths): Promise<FatalProblem> {
  const who = await nameHolder(paths.holder);
  return {
    code: 'state-locked',
    exit: EXIT.locked,
    summary: 'Another run holds the lock',
    detail: `${paths.file} is in use by ${who}. Wait until it has ended, or let this one wait with --lock-timeout.`,
  };
}

/** Who holds the lock of a state now; undefined when it is free. The lock itself is not touched (`putUpSign`). */
export async function lockHolder(paths: StatePaths): Promise<string | undefined> {
  const sign = await fs.open(paths.holder, LOCK_FLAGS).catch(() => undefined);
  if (!sign) return undefined;
  try {
    const { tryLock } = await nativeLocks();
    return tryLock(sign.fd) ? undefined : await nameHolder(paths.holder);
  } finally {
    await sign.close();
  }
}

/** Whether the kernel keeps a second holder out in this folder; tried on a file that is removed again. */
export async function locksHold({ home, work }: StatePaths, name: string): Promise<boolean> {
  const { tryLock } = await nativeLocks();
  const file = path.join(existsSync(work) ? work : home, `.${name}.lock-test`);
  const first = await fs.open(file, 'wx', 0o600);
  try {
    const second = await fs.open(file, 'r+');
    try {
      return tryLock(first.fd) && !tryLock(second.fd);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
    await fs.rm(file, { force: true });
  }
}
