import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setAside } from '../../src/files/set-aside.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-aside-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const NEW = createHash('sha256').update('new').digest('hex');
const free = (name: string) => setAside(join(folder, name), NEW);
const names = async () => (await readdir(folder)).sort();

describe('what stands where a download goes', () => {
  it('is set aside under a free name, unless it is the same', async () => {
    await free('a.png');
    await write('a.png', 'somebody else');
    await write('a.bak1.png', 'before');
    await free('a.png');
    expect(await names()).toEqual(['a.bak1.png', 'a.bak2.png']);
    await write('a.png', 'new');
    await free('a.png');
    expect(await readFile(join(folder, 'a.png'), 'utf8')).toBe('new');
  });

  it('may be a link: it steps aside as it is, over no other link', async () => {
    await symlink('/dev/zero', join(folder, 'a.png'));
    await symlink('nowhere', join(folder, 'a.bak1.png'));
    await free('a.png');
    expect(await names()).toEqual(['a.bak1.png', 'a.bak2.png']);
    expect(await readlink(join(folder, 'a.bak2.png'))).toBe('/dev/zero');
    await write('kept-elsewhere', 'new');
    await symlink('kept-elsewhere', join(folder, 'a.png'));
    await free('a.png');
    expect(await names()).toContain('a.png');
  });

  it('is no pipe: that is named, and nobody waits for its other end', async () => {
    await promisify(execFile)('mkfifo', [join(folder, 'a.png')]);
    await expect(free('a.png')).rejects.toThrow('a.png is a pipe in the place of a file of campaign');
  });
});
