import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadPayload } from '../../src/model/payload.ts';
import { moveFile, renameOlder } from '../../src/files/name-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-rename-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = () => ({ folder, dir: '.', outside: 'refuse' }) as const;
const write = (path: string, text: string) => writeFile(join(folder, path), text);
const read = (path: string) => readFile(join(folder, path), 'utf8');

function file(path: string, text: string) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, sha256, bytes: text.length, contentType: 'image/png' };
}

/** The content of the take that is being put in place. */
const NEW = new Set([file('', 'three').sha256]);

function payload(older: DownloadPayload['older']): DownloadPayload {
  return {
    post: 'hero',
    item: '1',
    take: 3,
    request: 'media-config/hero@3',
    requestedAs: '1',
    path: '1-image',
    older,
  };
}

describe('the files of older takes', () => {
  it('get the number of their take', async () => {
    await write('1-image.png', 'two');
    await write('1-image.take1.png', 'one');
    const older = [
      { take: 1, path: '1-image.take1', files: [file('1-image.take1.png', 'one')] },
      { take: 2, path: '1-image.take2', files: [file('1-image.png', 'two')] },
    ];
    expect(await renameOlder(place(), payload(older), NEW)).toEqual([
      { take: 1, files: [file('1-image.take1.png', 'one')] },
      { take: 2, files: [file('1-image.take2.png', 'two')] },
    ]);
    expect((await readdir(folder)).sort()).toEqual(['1-image.take1.png', '1-image.take2.png']);
  });

  it('are all renamed where there are several', async () => {
    await write('1-image-1.png', 'a');
    await write('1-image-2.png', 'b');
    await renameOlder(
      place(),
      payload([
        { take: 2, path: '1-image.take2', files: [file('1-image-1.png', 'a'), file('1-image-2.png', 'b')] },
      ]),
      NEW,
    );
    expect((await readdir(folder)).sort()).toEqual(['1-image.take2-1.png', '1-image.take2-2.png']);
  });

  it('are renamed once, however often that is tried', async () => {
    await write('1-image.png', 'two');
    const older = payload([{ take: 2, path: '1-image.take2', files: [file('1-image.png', 'two')] }]);
    const first = await renameOlder(place(), older, NEW);
    await write('1-image.png', 'three');
    expect(await renameOlder(place(), older, NEW)).toEqual(first);
    expect([await read('1-image.take2.png'), await read('1-image.png')]).toEqual(['two', 'three']);
  });
});

describe('a retouched file of an older take', () => {
  it('steps aside all the same', async () => {
    await write('1-image.png', 'retouched');
    const older = payload([{ take: 2, path: '1-image.take2', files: [file('1-image.png', 'two')] }]);
    await renameOlder(place(), older, NEW);
    expect(await read('1-image.take2.png')).toBe('retouched');
  });
});

describe('a new take with the same content', () => {
  it('has a file of its own, as the older one has', async () => {
    await write('1-image.png', 'three');
    const older = payload([{ take: 2, path: '1-image.take2', files: [file('1-image.png', 'three')] }]);
    await renameOlder(place(), older, NEW);
    expect(await readdir(folder)).toEqual(['1-image.take2.png']);
  });
});

describe('a file', () => {
  it('is moved whatever it holds, and the folder that it leaves empty goes', async () => {
    await mkdir(join(folder, 'old'));
    await write('old/a.png', 'changed by hand');
    await moveFile(place(), 'old/a.png', 'new/b.png');
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(['new', 'new/b.png']);
  });

  it('never overwrites another, which steps aside', async () => {
    await write('a.png', 'mine');
    await write('b.png', 'yours');
    await moveFile(place(), 'a.png', 'b.png');
    expect(await readdir(folder)).toEqual(['b.bak1.png', 'b.png']);
    expect([await read('b.png'), await read('b.bak1.png')]).toEqual(['mine', 'yours']);
  });

  it('does not overwrite a link that leads nowhere either', async () => {
    await write('a.png', 'mine');
    await symlink('nowhere', join(folder, 'b.png'));
    await moveFile(place(), 'a.png', 'b.png');
    expect(await read('b.png')).toBe('mine');
    expect((await lstat(join(folder, 'b.bak1.png'))).isSymbolicLink()).toBe(true);
  });

  it('replaces an equal one', async () => {
    await write('a.png', 'mine');
    await write('b.png', 'mine');
    await moveFile(place(), 'a.png', 'b.png');
    expect(await readdir(folder)).toEqual(['b.png']);
  });

  it('may be missing, as in a fresh clone', async () => {
    await moveFile(place(), 'a.png', 'sub/b.png');
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays where its name is the same', async () => {
    await write('a.png', 'mine');
    await moveFile(place(), 'a.png', 'a.png');
    expect(await readdir(folder)).toEqual(['a.png']);
  });
});
