/** Results on their way into a storage: they are below `.campaign/files/` until the storage has them. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from '../../src/storage/folder-store.ts';
import { storedFiles } from '../../src/storage/stored-files.ts';

it('one that is stored takes no folder away from another one that just begins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-stored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workFolder = join(folder, '.campaign');
  const outputs = { dir: 'out' };
  const machine = { folder, photosReadAt: 0, outputs, workFolder, owner: 'a.default' };
  const files = storedFiles(createFolderStore(folder), machine);
  const bytes = Buffer.from('a picture');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const begin = async (path: string) => {
    await files.makeRoom(path);
    return files.room(path).path;
  };
  const part = await begin('out/grid/one');
  await writeFile(part, bytes);
  const other = await begin('out/grid/two');
  const request = 'media-config/grid@1';
  const post = { post: 'grid', item: 'one', take: 1, request, requestedAs: 'one' };
  const payload = { ...post, path: 'out/grid/one', older: [] };
  const file = { bytes: bytes.length, sha256, contentType: 'image/png' };
  const kept = await files.keep([{ part, file }], payload);
  expect(kept).toMatchObject({ ok: true, value: { files: [{ path: 'out/grid/one.png', sha256 }] } });
  await writeFile(other, bytes);
  expect(await readdir(join(other, '..'))).toEqual(['two']);
  expect(await readFile(join(folder, 'outputs', `${sha256}.png`), 'utf8')).toBe('a picture');
});
