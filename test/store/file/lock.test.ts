import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, readCheckpoint } from '../../../src/store/file/lock.ts';
import { makeWorkFolder, statePaths, type StatePaths } from '../../../src/store/file/work-folder.ts';
import type { Clock } from '../../../src/util/clock.ts';

let folder: string;
let paths: StatePaths;

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-lock-'));
  paths = statePaths(path.join(folder, 'campaign.stage.state.jsonl'));
  await makeWorkFolder(paths.work);
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** Time passes only by waiting, and `onWait` runs each time. */
function waitingClock(onWait: () => Promise<void> = () => Promise.resolve()): Clock & { waits: number[] } {
  const waits: number[] = [];
  let elapsed = 0;
  return {
    waits,
    now: () => Date.UTC(2026, 2, 1, 10) + elapsed,
    monotonic: () => elapsed,
    after(ms, fire) {
      waits.push(ms);
      elapsed += ms;
      void onWait().then(fire);
      return () => undefined;
    },
  };
}

function acquire(options: { clock?: Clock; timeoutMs?: number; signal?: AbortSignal } = {}) {
  const { clock = waitingClock(), timeoutMs = 0, signal } = options;
  return acquireLock(paths, { clock, lockTimeoutMs: timeoutMs, signal, command: 'campaign apply' });
}

async function acquired(options: { clock?: Clock; timeoutMs?: number } = {}) {
  const lock = await acquire(options);
  if (!lock.ok) throw new Error(lock.error.detail);
  return lock.value;
}

/** A process that holds the lock until it is killed. */
async function holder(): Promise<ChildProcess> {
  const script = path.join(folder, 'hold.mjs');
  const native = createRequire(import.meta.url).resolve('fs-native-extensions');
  await fs.writeFile(
    script,
    `import { openSync } from 'node:fs';
     import { createRequire } from 'node:module';
     const { tryLock } = createRequire(import.meta.url)(${JSON.stringify(native)});
     process.stdout.write(tryLock(openSync(process.argv[2], 'r+')) ? 'held' : 'refused');
     process.stdin.resume();`,
  );
  await fs.writeFile(paths.lock, '');
  const child = spawn(process.execPath, [script, paths.lock], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('held');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('the lock', () => {
  it('has one holder, and says who', async () => {
    const lock = await acquired();
    const second = await acquire();
    expect(!second.ok && second.error).toEqual({
      code: 'state-locked',
      exit: 75,
      summary: 'Another run holds the lock',
      detail:
        `${paths.file} is in use by \`campaign apply\`, process ${process.pid} on ${os.hostname()} since ` +
        '2026-03-01T10:00:00.000Z. Wait until it has ended, or let this one wait with --lock-timeout.',
    });
    await lock.release();
    await (await acquired()).release();
  });

  it('is not waited for any longer once the waiting is aborted', async () => {
    const lock = await acquired();
    const stop = new AbortController();
    const clock = waitingClock(() => Promise.resolve(stop.abort()));
    const second = await acquire({ clock, timeoutMs: 3_600_000, signal: stop.signal });
    expect(!second.ok && second.error.code).toBe('state-locked');
    expect(clock.waits).toHaveLength(1);
    await lock.release();
  });

  it('does not need the name of its holder', async () => {
    const lock = await acquired();
    for (const content of [undefined, 'torn {', '[]', 'null']) {
      await fs.rm(paths.holder, { force: true });
      if (content !== undefined) await fs.writeFile(paths.holder, content);
      const second = await acquire();
      expect(!second.ok && second.error.detail).toContain('is in use by another run.');
    }
    await lock.release();
  });

  it('stays on disk, its holder does not', async () => {
    await (await acquired()).release();
    expect((await fs.readdir(paths.work)).sort()).toEqual(['.gitignore', path.basename(paths.lock)]);
  });

  it('is waited for as long as is asked', async () => {
    const lock = await acquired();
    const clock = waitingClock();
    expect((await acquire({ clock, timeoutMs: 250 })).ok).toBe(false);
    expect(clock.waits).toEqual([100, 100, 50]);
    await lock.release();
  });

  it('is taken as soon as it is free', async () => {
    const lock = await acquired();
    const clock = waitingClock(() => (clock.waits.length === 3 ? lock.release() : Promise.resolve()));
    const second = await acquired({ clock, timeoutMs: 60_000 });
    expect(clock.waits).toHaveLength(3);
    await second.release();
  });

  it('is free at once when its holder is killed', async () => {
    const child = await holder();
    expect((await acquire()).ok).toBe(false);
    await kill(child);
    await (await acquired()).release();
  });

  it('remembers how far which state went, beyond its holder', async () => {
    const first = await acquired();
    expect(first.checkpoint).toBeUndefined();
    await first.remember('a-long-lineage', { seq: 1000, crc: 1 });
    const checkpoint = { lineage: 'lineage', last: { seq: 12, crc: 0xab } };
    await first.remember(checkpoint.lineage, checkpoint.last);
    await first.release();
    expect(await fs.readFile(paths.lock, 'utf8')).toBe('lineage 12 000000ab a2982f0a\n');
    const second = await acquired();
    expect(second.checkpoint).toEqual(checkpoint);
    await second.release();
  });

  it('notes how far the state goes while its holder goes on, for whoever comes after a kill', async () => {
    const first = await acquired();
    await first.remember('lineage', { seq: 1, crc: 1 });
    await first.note('lineage', { seq: 12, crc: 0xab });
    expect(await fs.readFile(paths.lock, 'utf8')).toBe('lineage 12 000000ab a2982f0a\n');
    await first.remember('lineage', { seq: 1, crc: 1 });
    await first.release();
    const second = await acquired();
    expect(second.checkpoint).toEqual({ lineage: 'lineage', last: { seq: 1, crc: 1 } });
    await second.release();
    // Nothing fails for it.
    await expect(second.note('lineage', { seq: 2, crc: 1 })).resolves.toBeUndefined();
  });

  it('is given back where its holder cannot be written down, which others may not read', async () => {
    await fs.mkdir(paths.holder);
    expect(await acquire()).toMatchObject({ ok: false, error: { code: 'state-unwritable', exit: 74 } });
    await fs.rmdir(paths.holder);
    const lock = await acquired();
    expect((await fs.stat(paths.holder)).mode & 0o777).toBe(0o600);
    expect((await fs.stat(paths.lock)).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  it('is read without being taken; where it is none, nothing is remembered', async () => {
    expect(await readCheckpoint(paths.lock)).toBeUndefined();
    await expect(readCheckpoint(paths.work)).rejects.toThrow('.campaign is a folder in the place of a file');
  });

  it('is no symbolic link, and no folder', async () => {
    await fs.symlink('elsewhere', paths.lock);
    const linked = await acquire();
    expect(!linked.ok && linked.error).toMatchObject({ code: 'state-not-a-file' });
    expect(!linked.ok && linked.error.detail).toMatch(/\.lock: it is a symbolic link\./);
    await fs.rm(paths.lock);
    await fs.mkdir(paths.lock);
    const blocked = await acquire();
    expect(!blocked.ok && blocked.error).toMatchObject({ code: 'state-unwritable' });
    expect(!blocked.ok && blocked.error.detail).toContain('EISDIR');
  });

  it('is no pipe, whose other end would be waited for; nor is the name of its holder', async () => {
    await promisify(execFile)('mkfifo', [paths.lock]);
    const piped = await acquire();
    expect(!piped.ok && piped.error.detail).toMatch(/\.lock: it is a pipe\./);
    await expect(readCheckpoint(paths.lock)).rejects.toThrow(
      '.lock is a pipe in the place of a file of campaign',
    );
    await fs.rm(paths.lock);
    const lock = await acquired();
    await fs.rm(paths.holder);
    await promisify(execFile)('mkfifo', [paths.holder]);
    const second = await acquire();
    expect(!second.ok && second.error.detail).toContain('is in use by another run.');
    await lock.release();
  });
});
