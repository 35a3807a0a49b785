import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, writeFileAtomic } from '../../src/util/atomic-file.ts';

let folder: string;

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-atomic-'));
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

describe('writeFileAtomic', () => {
  it('makes a file and replaces it, and leaves nothing beside it', async () => {
    const file = path.join(folder, 'index.json');
    await writeFileAtomic(file, 'one');
    await writeFileAtomic(file, Buffer.from('two'), { mode: 0o600 });
    expect(await fs.readFile(file, 'utf8')).toBe('two');
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    expect(await fs.readdir(folder)).toEqual(['index.json']);
  });

  it('takes what is made while it is written', async () => {
    const file = path.join(folder, 'index.json');
    await writeFileAtomic(file, ['one', ', ', 'two'].values());
    expect(await fs.readFile(file, 'utf8')).toBe('one, two');
  });

  it('leaves everything as it was where it fails', async () => {
    const occupied = path.join(folder, 'occupied');
    await fs.mkdir(path.join(occupied, 'inside'), { recursive: true });
    await expect(writeFileAtomic(occupied, 'one')).rejects.toThrow();
    expect(await fs.readdir(folder)).toEqual(['occupied']);
  });
});

describe('makeFolder', () => {
  it('makes a folder with all above it, and is content with one that is there', async () => {
    const deep = path.join(folder, 'a', 'b', 'c');
    await makeFolder(deep);
    await makeFolder(deep);
    expect((await fs.stat(deep)).isDirectory()).toBe(true);
    await fs.writeFile(path.join(folder, 'file'), '');
    await expect(makeFolder(path.join(folder, 'file', 'x'))).rejects.toThrow('ENOTDIR');
  });
});
