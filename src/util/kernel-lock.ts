/**
 * A lock of the kernel on an open file: it is free at once when its holder ends, however it ends. Who holds it stands in a
 * file beside it, the sign, for messages only.
 */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import type { Clock } from './clock.ts';
import { isJsonObject, parseJson } from './json.ts';
import { openNewFile, readSmallFile } from './new-file.ts';

export interface Waiting {
  /** How long to wait for another holder; with no time it is tried once. */
  readonly lockTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  /** Shown to others who want the lock, e.g. `campaign apply`. */
  readonly command: string;
}

type Holder = {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  readonly command: string;
};

const POLL_MS = 100;

/** Opening a pipe must not wait for its other end. */
export const LOCK_FLAGS = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A native module, loaded only where it is needed. */
export const nativeLocks = () => import('fs-native-extensions');

/** `shared`: together with others who want no more than that. */
export async function tryUntil(
  fd: number,
  { lockTimeoutMs, clock, signal }: Omit<Waiting, 'command'>,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<boolean> {
  const { tryLock } = await nativeLocks();
  const start = clock.monotonic();
  while (!(mode === 'shared' ? tryLock(fd, { shared: true }) : tryLock(fd))) {
    const left = start + lockTimeoutMs - clock.monotonic();
    if (left <= 0 || signal?.aborted) return false;
    await new Promise<void>((resolve) => clock.after(Math.min(left, POLL_MS), resolve));
  }
  return true;
}

/**
 * Writes who holds the lock into a file that is locked itself before it gets its name. So others can see whether the
 * holder still lives without touching the lock, which somebody else may be taking.
 */
export async function putUpSign(
  name: string,
  { clock, command }: Pick<Waiting, 'clock' | 'command'>,
): Promise<fs.FileHandle> {
  const since = new Date(clock.now()).toISOString();
  const holder: Holder = { pid: process.pid, host: os.hostname(), since, command };
  const { tryLock } = await nativeLocks();
  const temporary = `${name}.${process.pid}.tmp`;
  const sign = await openNewFile(temporary, 0o600);
  try {
    await sign.writeFile(`${JSON.stringify(holder)}\n`);
    tryLock(sign.fd);
    await fs.rename(temporary, name);
    return sign;
  } catch (error) {
    await sign.close();
    await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** By its sign; missing members are left out. */
export async function nameHolder(sign: string): Promise<string> {
  const json = parseJson(await readSmallFile(sign).catch(() => ''));
  const holder: Partial<Holder> = json.ok && isJsonObject(json.value) ? json.value : {};
  const { pid, host, since, command } = holder;
  return pid === undefined ? 'another run' : `\`${command}\`, process ${pid} on ${host} since ${since}`;
}
