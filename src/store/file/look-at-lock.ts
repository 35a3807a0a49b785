import { constants, existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { nameHolder } from './lock.ts';
import type { StatePaths } from './work-folder.ts';

/** Opening a pipe must not wait for its other end. */
const FLAGS = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Who holds the lock of a state now; undefined when it is free. Only the file with the holder's name is examined, which
 * is locked as long as the holder lives; the lock itself is not touched, because somebody may be taking it.
 */
export async function lockHolder(paths: StatePaths): Promise<string | undefined> {
  const sign = await open(paths.holder, FLAGS).catch(() => undefined);
  if (!sign) return undefined;
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock(sign.fd) ? undefined : await nameHolder(paths);
  } finally {
    await sign.close();
  }
}

/** Whether the kernel keeps a second holder out in this folder; tried on a file that is removed again. */
export async function locksHold({ home, work }: StatePaths, name: string): Promise<boolean> {
  const { tryLock } = await import('fs-native-extensions');
  const file = path.join(existsSync(work) ? work : home, `.${name}.lock-test`);
  const first = await open(file, 'wx', 0o600);
  try {
    const second = await open(file, 'r+');
    try {
      return tryLock(first.fd) && !tryLock(second.fd);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
    await rm(file, { force: true });
  }
}
