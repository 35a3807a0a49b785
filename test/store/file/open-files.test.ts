import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockHolder, locksHold } from '../../../src/store/file/lock.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { bytesOf, EVENTS, linesOf } from './sample-log.ts';
import { makePlace, read, write, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** What this process has open below the folder, by Linux's own account. */
async function openFiles(): Promise<string[]> {
  const links = await Promise.all(
    (await fs.readdir('/proc/self/fd')).map((fd) => fs.readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

const LOG = bytesOf(linesOf(EVENTS));

it('a writer has its log and its lock open, and nothing once it is closed', async () => {
  // With a tail to repair, and something to take in.
  await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
  const [header = '', ...lines] = linesOf(EVENTS);
  await fs.writeFile(path.join(folder, '.campaign/errored-run-1.jsonl'), header + lines.slice(0, 1).join(''));
  await fs.writeFile(file, LOG.subarray(0, LOG.length - 5));
  const state = await written(file);
  expect(state.warnings).toHaveLength(2);
  expect((await openFiles()).sort()).toEqual([
    path.join(folder, '.campaign', `${path.basename(file)}.lock`),
    path.join(folder, '.campaign', `${path.basename(file)}.lock.json`),
    file,
  ]);
  const many = Array.from({ length: 100 }, () => EVENTS[2]).filter((event) => event !== undefined);
  await state.recorder.append(many);
  const { size } = await fs.stat(file);
  await state.close('compact');
  expect((await fs.stat(file)).size).toBeLessThan(size / 4);
  expect(await openFiles()).toEqual([]);
});

it('a reader has nothing open', async () => {
  await fs.writeFile(file, LOG);
  expect((await read(file)).ok).toBe(true);
  expect(await openFiles()).toEqual([]);
});

it('a state that is refused is not left open', async () => {
  await fs.writeFile(file, 'hello\n');
  expect([(await read(file)).ok, (await write(file)).ok]).toEqual([false, false]);
  await fs.rm(file);
  await fs.mkdir(file);
  expect([(await read(file)).ok, (await write(file)).ok]).toEqual([false, false]);
  expect(await openFiles()).toEqual([]);
});

it('looking at a lock, and trying locks, leaves nothing open', async () => {
  const state = await written(file);
  const paths = statePaths(file);
  const open = await openFiles();
  expect(await lockHolder(paths)).toBeDefined();
  expect(await locksHold(paths, 'doctor')).toBe(true);
  expect(await openFiles()).toEqual(open);
  await state.close();
  await fs.writeFile(paths.holder, '{}');
  expect(await lockHolder(paths)).toBeUndefined();
  expect(await openFiles()).toEqual([]);
});

it('what could not be written leaves nothing open', async () => {
  const state = await written(file);
  await state.recorder.append(EVENTS);
  await fs.rename(file, `${file}.gone`);
  await expect(state.recorder.append(EVENTS)).rejects.toThrow('was deleted');
  await state.close('compact');
  expect(await openFiles()).toEqual([]);
});
