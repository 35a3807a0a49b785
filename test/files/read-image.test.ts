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
      detail: '"a.gif" changed while it was read. Run again.',
    });
  });

  it('says why a file cannot be opened', async () => {
    const file = await gif();
    const stats = await stat(file);
    const problem = await readImage({ file: 'a.gif', path: `${file}.gone`, stats });
    expect(problem).toMatchObject({ file: 'a.gif', code: 'cannot-read-image' });
  });
});
