/** The index of a campaign in a storage, which one process writes for several campaigns at once. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { storeIndex } from '../../src/app/stored-index.ts';
import { emptyState } from '../../src/log/fold.ts';
import { createFolderStore } from '../../src/storage/folder-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { createS3Store } from '../../src/storage/s3-store.ts';
import { readStorageUrl } from '../../src/storage/storage-url.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { startLyingS3 } from '../support/lying-s3.ts';
import { S3_KEYS } from '../support/s3-server.ts';

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

it('is left to the next run where this one is stopped meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-index-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const front = await startLyingS3(0, () => ({ status: 503, headers: { 'retry-after': '600' } }));
  const place = readStorageUrl('s3://bucket', { ...S3_KEYS, AWS_ENDPOINT_URL_S3: front.url });
  if (!place.ok || place.value.type !== 's3') throw new Error(JSON.stringify(place));
  let stop = () => {};
  const after: Clock['after'] = (ms, fire) => {
    queueMicrotask(stop);
    return realClock.after(ms, fire);
  };
  const around = { clock: { ...realClock, after }, deadlines: realClock, random: () => 0 };
  const objects = createS3Store(place.value.settings, around);
  onTestFinished(async () => {
    objects.close();
    await front.close();
  });
  const environment = { name: 'production', baseUrl: 'https://service.example', gaps: {} };
  const stored = { objects, manifest: { name: 'spring', environment }, workFolder: folder };
  const onChange = (listener: () => void) => {
    stop = listener;
    return () => {};
  };
  expect(await storeIndex(stored, emptyState(), { onChange })).toMatchObject({
    exit: 74,
    detail: expect.stringContaining('stopped by this run, ERR_ABORTED. Run again.') as string,
  });
});
