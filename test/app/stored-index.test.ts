/** The index of a campaign in a storage, which one process writes for several campaigns at once. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { storeIndex } from '../../src/app/stored-index.ts';
import { emptyState } from '../../src/log/fold.ts';
import { createFolderStore } from '../../src/storage/folder-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';

it('is that of its own campaign, although another one of this folder is put there meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-index-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'index'));
  const whole = createFolderStore(folder);
  const indexOf = (name: string) => join(folder, 'index', `${name}.production.json`);
  const store = async (name: string, objects: ObjectStore) => {
    // An older one, which has to be replaced.
    await writeFile(indexOf(name), '{}');
    const environment = { name: 'production', baseUrl: 'https://service.example', gaps: {} };
    const stored = { objects, manifest: { name, environment }, workFolder: join(folder, '.campaign') };
    return storeIndex(stored, emptyState());
  };
  const slow: ObjectStore = {
    ...whole,
    async put(key, file) {
      expect(await store('spring', whole)).toBeUndefined();
      return whole.put(key, file);
    },
  };
  expect(await store('autumn', slow)).toBeUndefined();
  for (const campaign of ['spring', 'autumn'])
    expect(JSON.parse(await readFile(indexOf(campaign), 'utf8'))).toMatchObject({ campaign });
});
