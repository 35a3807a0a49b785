import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkFolder, createStateFile, openStateFile } from '../../src/state/state-file.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

it('a state that is made is empty, for its owner only, and never an older one', async () => {
  const handle = await createStateFile(file);
  expect((await handle.stat()).size).toBe(0);
  expect((await handle.stat()).mode & 0o777).toBe(0o600);
  await handle.close();
  await expect(createStateFile(file)).rejects.toThrow('EEXIST');
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
