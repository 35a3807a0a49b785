import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadPayload } from '../../src/model/payload.ts';
import { moveFile, renameOlder } from '../../src/steps/rename-older.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-rename-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFile(join(folder, path), text);
const read = (path: string) => readFile(join(folder, path), 'utf8');

function file(path: string, text: string) {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, sha256, bytes: text.length, contentType: 'image/png' };
}

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
    expect(await renameOlder(folder, payload(older))).toEqual([
      { take: 1, files: [file('1-image.take1.png', 'one')] },
      { take: 2, files: [file('1-image.take2.png', 'two')] },
    ]);
    expect((await readdir(folder)).sort()).toEqual(['1-image.take1.png', '1-image.take2.png']);
  });

  it('are all renamed where there are several', async () => {
    await write('1-image-1.png', 'a');
    await write('1-image-2.png', 'b');
    await renameOlder(
      folder,
      payload([
        { take: 2, path: '1-image.take2', files: [file('1-image-1.png', 'a'), file('1-image-2.png', 'b')] },
      ]),
    );
    expect((await readdir(folder)).sort()).toEqual(['1-image.take2-1.png', '1-image.take2-2.png']);
  });

  it('are renamed once, however often that is tried', async () => {
    await write('1-image.png', 'two');
    const older = payload([{ take: 2, path: '1-image.take2', files: [file('1-image.png', 'two')] }]);
    const first = await renameOlder(folder, older);
    await write('1-image.png', 'three');
    expect(await renameOlder(folder, older)).toEqual(first);
    expect([await read('1-image.take2.png'), await read('1-image.png')]).toEqual(['two', 'three']);
  });
});

describe('a file', () => {
  it('is moved only while it has the recorded content', async () => {
    await write('a.png', 'changed by hand');
    await moveFile(folder, file('a.png', 'as recorded'), 'b.png');
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('never takes the place of another', async () => {
    await write('a.png', 'mine');
    await write('b.png', 'yours');
    await moveFile(folder, file('a.png', 'mine'), 'b.png');
    expect([await read('a.png'), await read('b.png')]).toEqual(['mine', 'yours']);
  });

  it('may be missing, as in a fresh clone', async () => {
    await moveFile(folder, file('a.png', 'mine'), 'b.png');
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays where its name is the same', async () => {
    await write('a.png', 'mine');
    await moveFile(folder, file('a.png', 'mine'), 'a.png');
    expect(await readdir(folder)).toEqual(['a.png']);
  });
});
