import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { acquireLock, readCheckpoint } from '../../../src/store/file/lock.ts';
import { leaveInPointer, pointTo, readPointer, writePointer } from '../../../src/store/file/pointer.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import type { KnownHead } from '../../../src/store/known-head.ts';
import { createHurriedClock } from '../../support/hurried-clock.ts';
import { EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  await fs.mkdir(path.join(folder, '.campaign'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await fs.rm(folder, { recursive: true, force: true });
});

const DATABASE = 'postgres://db.example.com/campaigns';
const { header: HEADER } = encodeHeader(LINEAGE, IDENTITY);

const headAt = (seq: number): KnownHead => ({ lineage: LINEAGE, last: { seq, crc: seq + 1 }, boundAt: '' });

const lineAt = (seq: number, movedTo = DATABASE) =>
  encodeHeader(LINEAGE, { ...IDENTITY, movedTo }, { seq, crc: seq + 1 }).line;

const conflictOf = (ours: string, theirs: string) =>
  `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> origin/main\n`;

const text = () => fs.readFile(file, 'utf8');

describe('what is at the place of a pointer', () => {
  it.each([
    ['a conflict of other things', conflictOf(lineAt(1), 'x\n'), { code: 'state-in-conflict' }],
    ['one of a newer format', '{"format":2,"lineage":"x"}\n', { code: 'state-newer-format' }],
  ])('is refused where it is %s', async (_, content, error) => {
    await fs.writeFile(file, content);
    expect(await readPointer(statePaths(file))).toMatchObject({ ok: false, error });
  });
});

describe('a newer head', () => {
  const leave = (seq: number, more: { which?: 'own' } = {}) =>
    leaveInPointer(statePaths(file), headAt(seq), {
      clock: createHurriedClock({ speed: 1000 }),
      command: 'campaign apply',
      lockTimeoutMs: 0,
      ...more,
    });

  beforeEach(() => fs.writeFile(file, lineAt(5)));

  it('is written into the pointer of this log, and an older one changes nothing', async () => {
    await leave(4);
    expect(await text()).toBe(lineAt(5));
    await leave(6, { which: 'own' });
    expect(await text()).toBe(lineAt(6));
  });

  it('is kept where git has left it in a conflict, also by one that is older', async () => {
    await fs.writeFile(file, conflictOf(lineAt(5), lineAt(9)));
    await leave(7);
    expect(await text()).toBe(lineAt(9));
  });

  it('is written also while another command holds the notes of this machine', async () => {
    const lock = await acquireLock(statePaths(file), OPTIONS);
    await leave(6);
    expect(await text()).toBe(lineAt(6));
    if (lock.ok) await lock.value.release();
  });

  it('says what the disk refuses', async () => {
    await fs.rm(path.join(folder, '.campaign'), { recursive: true });
    await fs.writeFile(path.join(folder, '.campaign'), '');
    await expect(leave(6)).rejects.toThrow('ENOTDIR');
  });

  it('is not left by a worker in the file of another user, which would become its own', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
    await leave(6, { which: 'own' });
    expect(await text()).toBe(lineAt(5));
  });
});

describe('a log elsewhere', () => {
  const elsewhere = () => path.join(folder, 'logs/s.jsonl');
  const point = (isNew: boolean, seq = 0) =>
    pointTo(
      statePaths(file),
      { file: elsewhere(), header: HEADER, head: headAt(seq) },
      { ...OPTIONS, isNew },
    );

  it('is named from the folder, with the newest head that was seen, and on this machine', async () => {
    await point(true);
    expect(await text()).toBe(encodeHeader(LINEAGE, { ...IDENTITY, movedTo: 'logs/s.jsonl' }).line);
    await point(false, 3);
    expect(await text()).toBe(lineAt(3, 'logs/s.jsonl'));
    expect(await readCheckpoint(statePaths(file).lock)).toMatchObject({ last: { seq: 3 } });
    await point(false, 2);
    expect(await text()).toBe(lineAt(3, 'logs/s.jsonl'));
  });

  it.each([
    ['a state', linesOf(EVENTS).join('')],
    ['a conflict', conflictOf(lineAt(1), 'x\n')],
    ['the pointer to another one', lineAt(1)],
  ])('does not begin where its place has %s', async (_, content) => {
    await fs.writeFile(file, content);
    await expect(point(true)).rejects.toThrow(`${file} was made by something else meanwhile`);
    expect(await text()).toBe(content);
  });

  it('that was there before leaves a state at its place alone', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    await point(false, 3);
    expect(await text()).toBe(linesOf(EVENTS).join(''));
  });

  describe('that is opened by its name', () => {
    const opened = (mode: 'read' | 'write') => {
      const options = { ...OPTIONS, stateFile: elsewhere(), beside: statePaths(file) };
      return mode === 'read' ? openState({ ...options, mode }) : openState({ ...options, mode });
    };

    beforeEach(() => fs.mkdir(path.dirname(elsewhere())));

    it('is gone where its place says that it was there', async () => {
      await point(true);
      for (const mode of ['read', 'write'] as const)
        expect(await opened(mode)).toMatchObject({
          error: { code: 'state-vanished', detail: expect.stringContaining(elsewhere()) as string },
        });
    });

    it.each([true, false])(
      'is refused where its place cannot be read, whether it is there or not: %s',
      async (isThere) => {
        await fs.writeFile(file, conflictOf(lineAt(1), 'x\n'));
        if (isThere) await fs.writeFile(elsewhere(), linesOf(EVENTS).join(''));
        expect(await opened('write')).toMatchObject({ ok: false, error: { code: 'state-in-conflict' } });
      },
    );
  });
});

it('a pointer is never half written: what was there stays', async () => {
  await fs.mkdir(file);
  const pointer = { header: HEADER, to: DATABASE, end: { seq: 0, crc: 1 } };
  await expect(writePointer(statePaths(file), pointer)).rejects.toThrow('EISDIR');
  expect(await fs.readdir(path.join(folder, '.campaign'))).toEqual([]);
});
