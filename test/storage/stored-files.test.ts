/** Results on their way into a storage: they are below `.campaign/files/` until the storage has them. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from '../../src/storage/folder-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { storedFiles } from '../../src/storage/stored-files.ts';

const never = new AbortController().signal;

it('one that is stored takes no folder away from another one that just begins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-stored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workFolder = join(folder, '.campaign');
  const place = { folder, dir: 'out', outside: 'refuse' } as const;
  const machine = { place, photosReadAt: 0, workFolder, owner: 'a.default' };
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
  const kept = await files.keep([{ part, file }], payload, never);
  expect(kept).toMatchObject({ ok: true, value: { files: [{ path: 'out/grid/one.png', sha256 }] } });
  await writeFile(other, bytes);
  expect(await readdir(join(other, '..'))).toEqual(['two']);
  expect(await readFile(join(folder, 'outputs', `${sha256}.png`), 'utf8')).toBe('a picture');
});

it('a photo that two runs fetch at once is whole for both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-stored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bytes = Buffer.alloc(100_000, 'a photo');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'photos', sha256), bytes);
  const store = createFolderStore(folder);
  const workFolder = join(folder, '.campaign');
  const planned = { file: 'tote.png', sha256, bytes: bytes.length, contentType: 'image/png' };
  const fetchOne = (objects: ObjectStore, owner: string) =>
    storedFiles(objects, {
      place: { folder, dir: '.', outside: 'refuse' },
      photosReadAt: 0,
      workFolder,
      owner,
    }).photo(planned, never);
  const seen: unknown[] = [];
  /** While it has half of the photo, another run gets all of it. */
  const slow: ObjectStore = {
    ...store,
    async read(key, path = '') {
      const first = await fetchOne(store, 'a.default');
      await writeFile(path, bytes.subarray(0, 50_000));
      seen.push(first.ok && (await readFile(first.value)).equals(bytes));
      return store.read(key, path);
    },
  };
  const second = await fetchOne(slow, 'b.default');
  seen.push(second.ok && (await readFile(second.value)).equals(bytes));
  expect(seen).toEqual([true, true]);
  expect(await readdir(join(workFolder, 'files'), { recursive: true })).toEqual(
    expect.arrayContaining(['a.default', 'b.default', 'photos', `photos/${sha256}`]),
  );
  expect(await readdir(join(workFolder, 'files', 'b.default'))).toEqual([]);
  // Something else in its place is no bug.
  await rm(workFolder, { recursive: true });
  await writeFile(workFolder, 'in the way');
  expect(await fetchOne(store, 'a.default')).toMatchObject({
    ok: false,
    error: {
      came: 'local-file',
      problem: { detail: expect.stringMatching(/\.campaign is a file in the place/) },
    },
  });
});
