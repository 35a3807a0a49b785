import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../src/util/atomic-file.ts';
import {
  checkFolderPlace,
  checkPlace,
  makeIgnoredFolder,
  openNewFile,
  readPlainFile,
  readSmallFile,
  removePlainFile,
} from '../../src/util/new-file.ts';

let folder: string;
let precious: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-new-file-'));
  precious = path.join(folder, 'precious');
  await fs.writeFile(precious, 'kept');
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const mkfifo = (at: string) => promisify(execFile)('mkfifo', [at]);

async function write(at: string, text: string): Promise<void> {
  const handle = await openNewFile(at, 0o600);
  await handle.writeFile(text);
  await handle.close();
}

/** What may stand where a file of ours goes. */
const OBSTACLES: readonly (readonly [string, (at: string) => Promise<unknown>])[] = [
  ['a symbolic link', (at) => fs.symlink(precious, at)],
  ['a pipe', mkfifo],
  ['a folder', (at) => fs.mkdir(at)],
];

describe('a new file', () => {
  it('takes the place of one that a killed run left, and is not written into it', async () => {
    const at = path.join(folder, 'x.tmp');
    await fs.link(precious, at);
    await write(at, 'new');
    expect([await fs.readFile(at, 'utf8'), await fs.readFile(precious, 'utf8')]).toEqual(['new', 'kept']);
    expect((await fs.stat(at)).mode & 0o777).toBe(0o600);
  });

  it.each(OBSTACLES)('is not made where %s stands, which is named and left', async (what, make) => {
    const at = path.join(folder, 'x');
    await make(at);
    const words = `${at} is ${what} in the place of a file of campaign`;
    await expect(write(at, 'new')).rejects.toThrow(words);
    await expect(checkPlace(at)).rejects.toMatchObject({ code: 'EEXIST', syscall: 'open', path: at });
    await expect(writeFileAtomic(at, 'new')).rejects.toThrow(words);
    await expect(readPlainFile(at)).rejects.toThrow(words);
    await removePlainFile(at);
    expect((await fs.readdir(folder)).sort()).toEqual(['precious', 'x']);
    expect(await fs.readFile(precious, 'utf8')).toBe('kept');
  });

  it('is not made through the name that it has while it is written', async () => {
    const at = path.join(folder, 'x');
    await fs.symlink(precious, `${at}.${process.pid}.tmp`);
    await expect(writeFileAtomic(at, 'new')).rejects.toThrow('.tmp is a symbolic link');
    expect(await fs.readFile(precious, 'utf8')).toBe('kept');
    expect(await fs.readdir(folder)).toHaveLength(2);
  });

  it('fails as the disk does where its folder is missing', async () => {
    const at = path.join(folder, 'none', 'x');
    await expect(write(at, 'new')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(checkPlace(path.join(precious, 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

it('a plain file is read whole, and the beginning of a small one that became huge', async () => {
  const at = path.join(folder, 'decisions.yaml');
  const text = `${'x'.repeat(2 ** 20)}end`;
  await fs.writeFile(at, text);
  expect(await readPlainFile(at)).toBe(text);
  expect(await readSmallFile(at)).toHaveLength(2 ** 20);
});

describe('a folder of ours', () => {
  it('is no link to one', async () => {
    const at = path.join(folder, '.campaign');
    await fs.mkdir(path.join(folder, 'elsewhere'));
    await fs.symlink('elsewhere', at);
    await expect(makeIgnoredFolder(at)).rejects.toThrow('.campaign is a symbolic link');
    await expect(checkFolderPlace(precious)).rejects.toThrow('precious is a file');
    expect(await fs.readdir(path.join(folder, 'elsewhere'))).toEqual([]);
    await fs.rm(at);
    await makeIgnoredFolder(at);
    await makeIgnoredFolder(at);
    expect(await fs.readFile(path.join(at, '.gitignore'), 'utf8')).toBe('*\n');
  });
});
