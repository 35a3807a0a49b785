/**
 * One writer at a time: an exclusive kernel lock on a file that is never deleted, so that it is free at once when its
 * holder dies, however it dies. The lock file's content is what is remembered of the state that it guards
 * (checkpoint.ts). Who holds the lock stands in a file beside it, for messages only.
 */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EXIT } from '../../model/exit.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import type { Clock } from '../../util/clock.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { openNewFile, otherThanFile, readPlainFile } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { notAFile } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

/** A held lock. */
export interface Lock {
  /** Of the state that was here last, before this holder; undefined where there never was one. */
  readonly checkpoint: Checkpoint | undefined;
  /** Writes down durably how far the state goes. */
  remember(lineage: string, last: RecordPlace): Promise<void>;
  /** The same for a run that goes on: it outlives the process, and power may take it. Fails for nothing. */
  note(lineage: string, last: RecordPlace): Promise<void>;
  /** There is no state of this name any more, and nothing is missing. */
  forget(): Promise<void>;
  release(): Promise<void>;
}

/** Who holds the lock. */
type Holder = {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  readonly command: string;
};

/** How often a lock that is held is tried again, in milliseconds. */
const POLL_MS = 100;

/** Takes the lock, trying for `timeoutMs`; 0 tries once. */
export async function acquireLock(options: {
  readonly paths: StatePaths;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** What this run does, for whoever finds the lock held. */
  readonly command: string;
}): Promise<Result<Lock, FatalProblem>> {
  const { paths, clock } = options;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await fs.open(paths.lock, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') return undefined;
    throw error;
  });
  if (!file) return err(notAFile(paths.lock, 'it is a symbolic link'));
  try {
    const what = otherThanFile(await file.stat());
    if (what !== undefined) {
      await file.close();
      return err(notAFile(paths.lock, `it is ${what}`));
    }
    if (!(await tryUntil(file.fd, options))) {
      const problem = await locked(paths);
      await file.close();
      return err(problem);
    }
    const since = new Date(clock.now()).toISOString();
    const holder: Holder = { pid: process.pid, host: os.hostname(), since, command: options.command };
    const checkpoint = decodeCheckpoint(await file.readFile('utf8'));
    const sign = await putUpSign(paths.holder, holder);
    return ok(held({ file, sign }, paths, checkpoint));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What a lock file remembers, without taking the lock. */
export async function readCheckpoint(lockFile: string): Promise<Checkpoint | undefined> {
  const content = await readPlainFile(lockFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return decodeCheckpoint(content);
}

/**
 * Writes down who holds the lock, in a file that is locked itself before it has its name: so others see whether the
 * holder still lives without touching the lock, which somebody may just be taking.
 */
async function putUpSign(name: string, holder: Holder): Promise<fs.FileHandle> {
  const { tryLock } = await import('fs-native-extensions');
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

function held(
  { file, sign }: { readonly file: fs.FileHandle; readonly sign: fs.FileHandle },
  paths: StatePaths,
  checkpoint: Checkpoint | undefined,
): Lock {
  /** What is known to be in the file durably. */
  let durable = checkpoint?.last && encodeCheckpoint(checkpoint.lineage, checkpoint.last);
  return {
    checkpoint,
    async remember(lineage, last) {
      const content = encodeCheckpoint(lineage, last);
      if (content === durable) return;
      durable = undefined;
      await file.write(content, 0);
      await file.truncate(Buffer.byteLength(content));
      await file.sync();
      await syncFolder(path.dirname(paths.lock));
      durable = content;
    },
    async note(lineage, last) {
      durable = undefined;
      await file.write(encodeCheckpoint(lineage, last), 0).catch(() => undefined);
    },
    async forget() {
      durable = undefined;
      await file.truncate(0);
      await file.sync();
    },
    async release() {
      try {
        await fs.rm(paths.holder, { force: true });
      } finally {
        await sign.close();
        await file.close();
      }
    },
  };
}

async function tryUntil(
  fd: number,
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Clock },
): Promise<boolean> {
  // A native module: loaded only where something is written.
  const { tryLock } = await import('fs-native-extensions');
  const start = clock.monotonic();
  while (!tryLock(fd)) {
    const left = start + timeoutMs - clock.monotonic();
    if (left <= 0) return false;
    await new Promise<void>((resolve) => clock.after(Math.min(left, POLL_MS), resolve));
  }
  return true;
}

async function locked(paths: StatePaths): Promise<FatalProblem> {
  const who = await nameHolder(paths);
  return {
    code: 'state-locked',
    exit: EXIT.locked,
    summary: 'Another run holds the lock',
    detail: `${paths.file} is in use by ${who}. Wait until it has ended, or let this one wait with --lock-timeout.`,
  };
}

/** Who wrote that it holds the lock; what is missing is left out, as it is written by us and for people only. */
export async function nameHolder({ holder: file }: StatePaths): Promise<string> {
  const json = parseJson(await readPlainFile(file).catch(() => ''));
  const holder: Partial<Holder> = json.ok && isJsonObject(json.value) ? json.value : {};
  const { pid, host, since, command } = holder;
  return pid === undefined ? 'another run' : `\`${command}\`, process ${pid} on ${host} since ${since}`;
}
