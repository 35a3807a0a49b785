/** What every storage promises, on a folder and on a real S3 server that checks signatures. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../../src/storage/folder-store.ts';
import type { ObjectStore, SentFile } from '../../src/storage/object-store.ts';
import { createS3Store } from '../../src/storage/s3-store.ts';
import { readStorageUrl } from '../../src/storage/storage-url.ts';
import { realClock } from '../../src/util/clock.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';

let folder: string;
let server: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-storage-'));
  await mkdir(join(folder, 'shared'));
  server = await startS3Server([BUCKET, 'with.dots.in-it']);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function fileOf(bytes: Buffer, name = 'sent'): Promise<SentFile> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, bytes: bytes.length, sha256: sha(bytes), contentType: 'image/png' };
}

function s3(url: string): ObjectStore {
  const place = readStorageUrl(url, server.env);
  if (!place.ok || place.value.type !== 's3') throw new Error(JSON.stringify(place));
  return createS3Store(place.value.settings, { clock: realClock, random: () => 0 });
}

const STORES: Record<string, () => ObjectStore> = {
  'a folder': () => createFolderStore(join(folder, 'shared')),
  'a bucket': () => s3(`s3://${BUCKET}`),
  'a prefix of all signs in a bucket with dots': () =>
    s3("s3://with.dots.in-it//a b/ü+%/100%25/('*')!&=;@~/x/"),
};

describe.each(Object.entries(STORES))('%s', (_, open) => {
  it('keeps bytes, and says what is not there', async () => {
    const store = open();
    const bytes = Buffer.from('hello');
    const sent = await fileOf(bytes);
    const whole = { ok: true, value: { bytes: 5, sha256: sha(bytes) } };
    expect(await store.size('outputs/x.png')).toEqual({ ok: true });
    expect(await store.put('outputs/x.png', sent)).toEqual({ ok: true });
    // Two machines at once, and the same once more.
    const again = await Promise.all([store.put('outputs/x.png', sent), open().put('outputs/x.png', sent)]);
    expect(again).toEqual([{ ok: true }, { ok: true }]);
    expect(await store.size('outputs/x.png')).toEqual({ ok: true, value: 5 });
    expect(await store.read('outputs/x.png')).toEqual(whole);
    const got = join(folder, 'got');
    await writeFile(got, 'left by a killed run');
    expect(await store.read('outputs/x.png', got)).toEqual(whole);
    expect(await readFile(got, 'utf8')).toBe('hello');
    expect(await store.head('outputs/x.png', 3)).toEqual({ ok: true, value: Buffer.from('hel') });
    for (const key of ['outputs/y.png', 'photos/y']) {
      expect(await store.read(key)).toEqual({ ok: true });
      expect(await store.head(key, 3)).toEqual({ ok: true });
    }
    // Another index takes the place of the old one.
    expect(await store.put('outputs/x.png', await fileOf(Buffer.from('other')))).toEqual({ ok: true });
    expect(await store.head('outputs/x.png', 9)).toEqual({ ok: true, value: Buffer.from('other') });
    store.close();
  });

  it('keeps nothing at all, and several megabytes', async () => {
    const store = open();
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(3_000_001, 'campaign')]) {
      expect(await store.put('index/a.b.json', await fileOf(bytes))).toEqual({ ok: true });
      const read = { ok: true, value: { bytes: bytes.length, sha256: sha(bytes) } };
      expect(await store.read('index/a.b.json', join(folder, 'got'))).toEqual(read);
      expect(await store.head('index/a.b.json', 8)).toEqual({ ok: true, value: bytes.subarray(0, 8) });
    }
    store.close();
  });

  it('takes no file that has changed, or is not there', async () => {
    const store = open();
    const sent = await fileOf(Buffer.from('before'));
    await writeFile(sent.path, 'after!');
    const changed = { summary: 'A file was changed while it was put into the storage', exit: 74 };
    expect(await store.put('photos/z', sent)).toMatchObject({ ok: false, error: changed });
    const away = { ...sent, path: join(folder, 'away') };
    expect(await store.put('photos/z', away)).toMatchObject({ ok: false, error: { exit: 74 } });
    expect(await store.size('photos/z')).toEqual({ ok: true });
    store.close();
  });

  it('cannot put what it read where a folder is in the way', async () => {
    const store = open();
    expect(await store.put('photos/a', await fileOf(Buffer.from('a')))).toEqual({ ok: true });
    expect(await store.read('photos/a', join(folder, 'shared'))).toMatchObject({
      ok: false,
      error: { exit: 74, summary: 'A file cannot be read or written' },
    });
    store.close();
  });
});

describe('a folder', () => {
  it('says which file is in trouble: its own, or that of this machine', async () => {
    await mkdir(join(folder, 'own'));
    const store = createFolderStore(join(folder, 'own'));
    const sent = await fileOf(Buffer.from('a photo'));
    await writeFile(join(folder, 'own/outputs'), 'in the way');
    const inTheWay = await store.put('outputs/a', sent);
    expect(inTheWay).toMatchObject({
      error: {
        detail: expect.stringContaining(`${folder}/own/outputs is a file in the place of `) as string,
      },
    });
    const gone = await store.put('photos/a', { ...sent, path: join(folder, 'gone') });
    expect(gone).toMatchObject({
      error: { detail: expect.stringContaining(`${folder}/gone is not what it was`) as string },
    });
    expect(await store.put('photos/a', sent)).toMatchObject({ ok: true });
    const nowhere = await store.read('photos/a', join(folder, 'nowhere/a'));
    expect(nowhere).toMatchObject({
      error: { detail: expect.stringContaining(`${folder}/nowhere/a: `) as string },
    });
  });

  it('that is not there, or is no folder, is no empty storage', async () => {
    for (const place of ['no-drive', 'sent']) {
      const store = createFolderStore(join(folder, place));
      const error = { exit: 78, summary: 'The folder of the storage is not there' };
      expect(await store.size('photos/a')).toMatchObject({ ok: false, error });
      expect(await store.put('photos/a', await fileOf(Buffer.from('a')))).toMatchObject({ ok: false, error });
    }
  });

  it('has no links below it, and nothing half', async () => {
    const shared = join(folder, 'linked');
    await mkdir(join(shared, 'photos'), { recursive: true });
    await symlink(join(folder, 'sent'), join(shared, 'photos/link'));
    await symlink(folder, join(shared, 'outputs'));
    const store = createFolderStore(shared);
    const sent = await fileOf(Buffer.from('a'));
    expect(await store.read('photos/link')).toMatchObject({ ok: false, error: { exit: 74 } });
    expect(await store.put('photos/link', sent)).toMatchObject({ ok: false, error: { exit: 74 } });
    expect(await store.put('outputs/a.png', sent)).toMatchObject({ ok: false, error: { exit: 74 } });
    await writeFile(sent.path, 'b');
    expect(await store.put('photos/b', sent)).toMatchObject({ ok: false });
    expect(await readdir(join(shared, 'photos'))).toEqual(['link']);
  });
});
