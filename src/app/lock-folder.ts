/** The lock of an output folder, in its `.campaign/`; the file is never deleted. */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { makeFolder } from '../util/atomic-file.ts';
import {
  LOCK_FLAGS,
  nameHolder,
  nativeLocks,
  putUpSign,
  tryUntil,
  type Waiting,
} from '../util/kernel-lock.ts';
import { checkPlace, makeIgnoredFolder } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Runtime } from './runtime.ts';

export interface OutputHold {
  /** Lets other processes of the same run hold it, too. */
  share(): Promise<void>;
  release(): Promise<void>;
}

interface Locking extends Omit<Waiting, 'clock'> {
  /** The folder as people know it. */
  readonly shown: string;
  readonly mode: 'exclusive' | 'shared';
}

export async function lockFolder(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  root: string,
  { shown, mode, ...waiting }: Locking,
): Promise<Result<OutputHold, Refusal>> {
  const work = path.join(root, '.campaign');
  await makeFolder(root);
  await makeIgnoredFolder(work);
  const lock = path.join(work, 'outputs.lock');
  const holder = `${lock}.json`;
  await checkPlace(lock);
  const file = await fs.open(lock, LOCK_FLAGS | constants.O_CREAT, 0o600);
  let isKept = false;
  try {
    if (!(await tryUntil(file.fd, { ...waiting, clock }, mode)))
      return err(inUse(shown, await nameHolder(holder)));
    // Somebody has deleted the folder while this one waited: the lock is of no use to anybody else.
    if (!(await isStill(lock, file)))
      return await lockFolder({ clock, emit }, root, { shown, mode, ...waiting });
    const sign = await putUpSign(holder, { ...waiting, clock });
    isKept = true;
    return ok(heldBy({ file, sign, holder }));
  } catch (error) {
    if (!isWithoutLocks(error)) throw error;
    emit({ type: 'warning', summary: WITHOUT_LOCKS, detail: withoutLocks(shown) });
    return ok(NOTHING_HELD);
  } finally {
    if (!isKept) await file.close();
  }
}

export const NOTHING_HELD: OutputHold = { share: () => Promise.resolve(), release: () => Promise.resolve() };

async function isStill(lock: string, file: fs.FileHandle): Promise<boolean> {
  const [there, held] = [await fs.stat(lock).catch(() => undefined), await file.stat()];
  return there?.ino === held.ino && there.dev === held.dev;
}

interface Open {
  readonly file: fs.FileHandle;
  readonly sign: fs.FileHandle;
  readonly holder: string;
}

function heldBy({ file, sign, holder }: Open): OutputHold {
  return {
    async share() {
      const { tryDowngradeLock } = await nativeLocks();
      tryDowngradeLock(file.fd);
    },
    async release() {
      try {
        await fs.rm(holder, { force: true });
      } finally {
        await sign.close();
        await file.close();
      }
    },
  };
}

function inUse(dir: string, who: string): Refusal {
  return refusal(EXIT.locked, {
    code: 'outputs-locked',
    summary: 'Another run has the output folder',
    detail:
      `${dir} is in use by ${who}. Files of two runs would push each other aside, so nothing was sent. Wait until it has ` +
      'ended, or let this one wait with --lock-timeout.',
  });
}

/** Some network drives have none; their results are as good as others. */
function isWithoutLocks(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOLCK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code);
}

const WITHOUT_LOCKS = 'The output folder cannot be locked';

function withoutLocks(dir: string): string {
  return `The file system of ${dir} has no locks. See to it that nothing else writes there while this runs.`;
}
