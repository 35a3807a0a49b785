import * as fs from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { moveState } from '../../../src/store/file/file-store.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { realClock } from '../../../src/util/clock.ts';
import { makePlace, read, write, written } from './state-place.ts';

let folder: string;
let file: string;
let inside: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  inside = path.join(folder, '.campaign', path.basename(file));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
});

function move(from: string, to: string) {
  return moveState(from, { to, lockTimeoutMs: 0, clock: realClock, command: 'campaign apply' });
}

const DONE = { ok: true, value: undefined };

describe('moveState', () => {
  it('takes along what is remembered of the state', async () => {
    await (await written(file)).close();
    expect(await move(file, inside)).toEqual(DONE);
    expect(await read(inside)).toMatchObject({ ok: true, value: { diverged: undefined } });
    await (await written(inside)).close();
    expect(await write(file)).toMatchObject({ ok: false, error: { code: 'state-vanished' } });
  });

  it('makes .campaign/ where it is gone', async () => {
    await (await written(file)).close();
    await fs.rm(path.dirname(inside), { recursive: true });
    expect(await move(file, inside)).toEqual(DONE);
    expect(await fs.readFile(path.join(folder, '.campaign', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('moves nothing where there is nothing, or something at the new place', async () => {
    expect(await move(file, inside)).toEqual(DONE);
    await fs.writeFile(file, 'a');
    await fs.writeFile(inside, 'b');
    expect(await move(file, inside)).toEqual(DONE);
    expect([await fs.readFile(file, 'utf8'), await fs.readFile(inside, 'utf8')]).toEqual(['a', 'b']);
  });

  it('waits for nobody: a state in use stays', async () => {
    const open = await written(file);
    expect(await move(file, inside)).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
    await open.close();
  });

  it('follows no link, neither in the place of the state nor in that of .campaign/', async () => {
    const elsewhere = await makePlace();
    onTestFinished(() => fs.rm(elsewhere.folder, { recursive: true, force: true }));
    await fs.writeFile(elsewhere.file, 'a');
    await fs.symlink(elsewhere.file, file);
    const notAFile = { ok: false, error: { code: 'state-not-a-file' } };
    expect(await move(file, inside)).toMatchObject(notAFile);
    await fs.rm(path.dirname(inside), { recursive: true });
    await fs.symlink(elsewhere.folder, path.dirname(inside));
    expect(await move(file, inside)).toMatchObject(notAFile);
    expect(await move(inside, file)).toMatchObject(notAFile);
    expect(await read(inside)).toMatchObject(notAFile);
  });

  it('says what the disk refuses', async () => {
    await (await written(file)).close();
    expect(await move(file, path.join(folder, 'nowhere', 'x'))).toMatchObject({
      ok: false,
      error: { code: 'state-unwritable', exit: 74 },
    });
    const { home } = statePaths(path.join(folder, 'nowhere', 'x'));
    expect(await move(path.join(home, 'x'), inside)).toMatchObject({
      ok: false,
      error: { code: 'state-unwritable' },
    });
  });

  it('hides no bug behind it', async () => {
    const broken = { ...realClock, now: () => Number.NaN };
    const bug = moveState(file, { to: inside, lockTimeoutMs: 0, clock: broken, command: 'campaign apply' });
    await expect(bug).rejects.toThrow(RangeError);
  });
});
