import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkFolder, openStateFile } from '../../../src/store/file/state-file.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

it('a state with a second name is read and not written: each name would have a lock of its own', async () => {
  await fs.writeFile(file, 'old');
  await fs.link(file, path.join(folder, 'copy.state.jsonl'));
  const read = await openStateFile(file, 'read');
  expect(read.ok).toBe(true);
  if (read.ok) await read.value?.close();
  expect(await openStateFile(file, 'write')).toMatchObject({
    ok: false,
    error: { code: 'state-not-a-file', exit: 76 },
  });
});

it('a state that is opened for reading cannot be written, one for writing only be added to', async () => {
  await fs.writeFile(file, 'old');
  const read = await openStateFile(file, 'read');
  if (!read.ok || !read.value) throw new Error('it was not opened');
  await expect(read.value.write('x')).rejects.toThrow('EBADF');
  await read.value.close();
  const write = await openStateFile(file, 'write');
  if (!write.ok || !write.value) throw new Error('it was not opened');
  await write.value.write('new', 0);
  await write.value.close();
  expect(await fs.readFile(file, 'utf8')).toBe('oldnew');
});

it('what the disk says is not taken for a file that cannot be trusted', async () => {
  const long = path.join(folder, 'x'.repeat(300));
  await expect(openStateFile(long, 'read')).rejects.toThrow('ENAMETOOLONG');
});

it('a folder is trusted, a file in its place is not', async () => {
  expect(await checkFolder(folder)).toBeUndefined();
  await fs.writeFile(file, '');
  expect(await checkFolder(file)).toBe('it is no folder');
});
