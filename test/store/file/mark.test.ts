import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Committed } from '../../../src/store/file/committed.ts';
import { createFileStore } from '../../../src/store/file/file-store.ts';
import type { Witnesses } from '../../../src/store/file/witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { AT, EVENTS, linesOf } from './sample-log.ts';
import { makePlace, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;
let committed: Committed;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  committed = { type: 'none' };
  await fs.writeFile(file, linesOf(EVENTS).join(''));
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const { witnesses: NOBODY, ...RUN } = OPTIONS;

function store() {
  const witnesses: Witnesses = {
    ...NOBODY,
    committed: () => Promise.resolve(committed),
  };
  return createFileStore({ file, identity: RUN.identity, witnesses });
}

async function markRead(): Promise<string | undefined> {
  const opened = await store().read();
  return opened.ok ? opened.value.mark : undefined;
}

async function markWritten(): Promise<string | undefined> {
  const opened = await store().write(RUN);
  if (!opened.ok) return undefined;
  await opened.value.close();
  return opened.value.mark;
}

describe('the mark of a log', () => {
  it('is the same until something is recorded, with the lock and without', async () => {
    const mark = (await markWritten()) ?? '';
    expect(JSON.parse(mark)).toMatchObject({ size: (await fs.stat(file)).size, committed: { type: 'none' } });
    expect(await markRead()).toBe(mark);
    expect(await store().hasMark?.(mark)).toBe(true);
    expect(await store().hasMark?.(mark, RUN)).toBe(true);
    const open = await store().write(RUN);
    if (open.ok) {
      await open.value.recorder.append([{ type: 'learned', at: AT, name: 'a', value: 'b' }]);
      await open.value.close();
    }
    expect(await store().hasMark?.(mark)).toBe(false);
    expect(await store().hasMark?.(mark, RUN)).toBe(false);
  });

  it('of one without a checkpoint is another one once there is a checkpoint', async () => {
    const mark = (await markRead()) ?? '';
    expect(await store().hasMark?.(mark)).toBe(true);
    await markWritten();
    expect(await store().hasMark?.(mark)).toBe(false);
  });

  it('changes with a checkpoint that was cut, with each byte, and with what is committed', async () => {
    const mark = (await markWritten()) ?? '';
    const { lock } = statePaths(file);
    const checkpoint = await fs.readFile(lock, 'utf8');
    await fs.writeFile(lock, checkpoint.slice(0, 20));
    expect(await store().hasMark?.(mark)).toBe(false);
    await fs.writeFile(lock, checkpoint);
    const whole = await fs.readFile(file);
    for (const at of [0, 100, whole.length - 2]) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await fs.writeFile(file, bytes);
      expect(await store().hasMark?.(mark)).toBe(false);
    }
    await fs.writeFile(file, whole);
    expect(await store().hasMark?.(mark)).toBe(true);
    committed = { type: 'log', blob: 'b', checkpoint: { lineage: 'other' }, isSettled: true };
    expect(await store().hasMark?.(mark)).toBe(false);
  });

  it('is refused where the place is not to be trusted, the log is gone or a link, or somebody holds the lock', async () => {
    const mark = (await markWritten()) ?? '';
    const open = await store().write(RUN);
    expect(await store().hasMark?.(mark, RUN)).toBe(false);
    if (open.ok) await open.value.close();
    await fs.rename(file, `${file}.kept`);
    expect(await store().hasMark?.(mark)).toBe(false);
    await fs.symlink(`${file}.kept`, file);
    expect(await store().hasMark?.(mark)).toBe(false);
    await fs.rename(folder, `${folder}.real`);
    await fs.symlink(`${folder}.real`, folder);
    expect(await store().hasMark?.(mark)).toBe(false);
    await fs.rm(folder);
    await fs.rename(`${folder}.real`, folder);
  });

  it('is missing where git did not answer, a spill file waits, or something has to be told', async () => {
    for (const type of ['unread', 'unasked'] as const) {
      committed = { type, why: 'git did not answer in time', remedy: 'Run again' };
      expect([await markRead(), await markWritten()]).toEqual([undefined, undefined]);
    }
    committed = { type: 'none' };
    const spill = path.join(statePaths(file).work, 'errored-other.jsonl');
    await fs.writeFile(spill, '');
    expect([await markRead(), await markWritten()]).toEqual([undefined, undefined]);
    await fs.rm(spill);
    await fs.writeFile(file, linesOf(EVENTS.slice(0, -1)).join(''));
    await fs.rm(statePaths(file).lock);
    expect([await markRead(), await markWritten()]).toEqual([undefined, undefined]);
    await fs.appendFile(file, '{"seq"');
    expect(await markWritten()).toBeUndefined();
  });

  it('is missing where there is no state yet', async () => {
    await fs.rm(file);
    expect([await markRead(), await markWritten()]).toEqual([undefined, undefined]);
  });
});
