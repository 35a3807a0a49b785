import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../../src/store/file/lock.ts';
import { lockHolder, locksHold } from '../../../src/store/file/lock.ts';
import { makeWorkFolder, statePaths, type StatePaths } from '../../../src/store/file/work-folder.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let paths: StatePaths;

beforeEach(async () => {
  const place = await makePlace();
  ({ folder } = place);
  paths = statePaths(place.file);
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

async function hold() {
  await makeWorkFolder(paths.work);
  const options = { lockTimeoutMs: 0, clock: createManualClock(), command: 'campaign apply' };
  const lock = await acquireLock(paths, options);
  if (!lock.ok) throw new Error(lock.error.detail);
  return lock.value;
}

describe('looking at a lock', () => {
  it('names who holds it, and nobody once it is released', async () => {
    expect(await lockHolder(paths)).toBeUndefined();
    const lock = await hold();
    expect(await lockHolder(paths)).toMatch(
      new RegExp(`^\`campaign apply\`, process ${process.pid} on .+ since `),
    );
    await lock.release();
    expect(await lockHolder(paths)).toBeUndefined();
  });

  it('finds nobody where a holder that was killed left its name', async () => {
    const lock = await hold();
    const name = await fs.readFile(paths.holder, 'utf8');
    await lock.release();
    await fs.writeFile(paths.holder, name);
    expect(await lockHolder(paths)).toBeUndefined();
    await fs.writeFile(paths.holder, '{}');
    expect(await lockHolder(paths)).toBeUndefined();
  });

  it('touches nothing that a start needs: it begins beneath those who look, however often they do', async () => {
    await makeWorkFolder(paths.work);
    const over = new AbortController();
    const looking = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        // What a run that was killed leaves.
        await fs.writeFile(paths.holder, '{"pid":1}');
        await lockHolder(paths);
      }
    });
    try {
      for (let start = 0; start < 100; start++) {
        await fs.rm(paths.holder, { force: true });
        await (await hold()).release();
      }
    } finally {
      over.abort();
      await Promise.all(looking);
    }
  });

  it('needs the sign alone, and follows no link', async () => {
    const lock = await hold();
    await fs.rm(paths.lock);
    expect(await lockHolder(paths)).toBeDefined();
    await fs.rename(paths.holder, path.join(folder, 'elsewhere'));
    expect(await lockHolder(paths)).toBeUndefined();
    await fs.symlink(path.join(folder, 'elsewhere'), paths.holder);
    expect(await lockHolder(paths)).toBeUndefined();
    await lock.release();
  });
});

describe('trying locks', () => {
  it('finds that they hold, beside the state or in its work folder, and leaves nothing behind', async () => {
    expect(await locksHold(paths, 'doctor')).toBe(true);
    expect(await fs.readdir(folder)).toEqual([]);
    await makeWorkFolder(paths.work);
    expect(await locksHold(paths, 'doctor')).toBe(true);
    expect(await fs.readdir(folder)).toEqual(['.campaign']);
    expect(await fs.readdir(paths.work)).toEqual(['.gitignore']);
  });

  it('overwrites no file: it is tried in one of its own', async () => {
    const taken = path.join(folder, '.doctor.lock-test');
    await fs.writeFile(taken, 'kept');
    await expect(locksHold(paths, 'doctor')).rejects.toThrow('EEXIST');
    expect(await fs.readFile(taken, 'utf8')).toBe('kept');
    expect(await locksHold(paths, 'other')).toBe(true);
  });

  it('uses the work folder where there is one', async () => {
    await makeWorkFolder(paths.work);
    await fs.writeFile(path.join(paths.work, '.doctor.lock-test'), '');
    await expect(locksHold(paths, 'doctor')).rejects.toThrow('EEXIST');
  });
});
