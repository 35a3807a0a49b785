import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readImage } from '../../src/files/read-image.ts';

async function gif(content = 'GIF89a…') {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'a.gif');
  await writeFile(file, content);
  return file;
}

describe('readImage', () => {
  it('refuses a file that was written to since it was looked at', async () => {
    const file = await gif();
    const stats = await stat(file);
    await writeFile(file, 'GIF89a longer than before');
    expect(await readImage({ file: 'a.gif', path: file, stats })).toEqual({
      file: 'a.gif',
      code: 'image-changed',
      summary: 'Image changed while it was read',
      detail: '"a.gif" changed while it was read. Run again.',
    });
  });

  it('knows a pointer of Git LFS from a file that is no image', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;
    const problem = async (content: string) => {
      const file = await gif(content);
      return readImage({ file: 'a.gif', path: file, stats: await stat(file) });
    };
    expect(await problem(pointer)).toEqual({
      file: 'a.gif',
      code: 'lfs-pointer',
      summary: 'Photo was not fetched from Git LFS',
      detail:
        '"a.gif" is a Git LFS pointer: the photo itself was not fetched. Run `git lfs pull` where the manifest lies (after `git lfs install`, should git not know it).',
    });
    expect(await problem('version 1')).toMatchObject({ code: 'not-an-image' });
    expect(await problem('')).toMatchObject({
      code: 'not-an-image',
      detail: expect.stringContaining('is empty'),
    });
  });

  it('says why a file cannot be opened', async () => {
    const file = await gif();
    const stats = await stat(file);
    const problem = await readImage({ file: 'a.gif', path: `${file}.gone`, stats });
    expect(problem).toMatchObject({ file: 'a.gif', code: 'cannot-read-image' });
  });
});
