import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import { makePhoto, startRig, upload, uploadRaw, type Rig } from './harness.ts';

let rig: Rig | undefined;
afterEach(() => rig?.close());

async function start(behaviour: Partial<Behaviour> = {}): Promise<Rig> {
  rig = await startRig({ behaviour });
  return rig;
}

describe('uploads', () => {
  it('are served back byte by byte without a token', async () => {
    const service = await start();
    const photo = await makePhoto('#446');
    const url = await upload(service, photo, 'mug front.jpeg');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/files\/[0-9a-f-]{36}\.jpg$/);
    const served = await fetch(url);
    expect(served.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await served.arrayBuffer()).equals(photo)).toBe(true);
    expect(service.ledger.entries()).toMatchObject([
      {
        kind: 'upload',
        action: 'create',
        path: '/upload-media/',
        name: 'mug front.jpeg',
        sha256: createHash('sha256').update(photo).digest('hex'),
      },
    ]);
  });

  it.each([
    ['data', { data: 'URL', message: 'Media uploaded successfully.', status: 'success' }],
    ['data.url', { data: { url: 'URL' }, message: 'Media uploaded successfully.', status: 'success' }],
    [
      'data.media_url',
      { data: { media_url: 'URL' }, message: 'Media uploaded successfully.', status: 'success' },
    ],
    [
      'data.file_url',
      { data: { file_url: 'URL' }, message: 'Media uploaded successfully.', status: 'success' },
    ],
    ['list', { data: [{ url: 'URL' }], message: 'Media uploaded successfully.', status: 'success' }],
    ['top-url', { url: 'URL', message: 'Media uploaded successfully.', status: 'success' }],
  ] as const)('answer in the shape %s', async (uploadAnswer, expected) => {
    const { status, body } = await uploadRaw(await start({ uploadAnswer }), await makePhoto('#446'));
    expect(status).toBe(201);
    expect(JSON.parse(JSON.stringify(body).replace(/http:[^"]+/, 'URL'))).toEqual(expected);
  });

  it('refuse what is no image, and leave nothing behind', async () => {
    const service = await start();
    const text = await uploadRaw(service, Buffer.from('not an image'));
    expect(text).toMatchObject({ status: 400, body: { status: 'failed' } });
    expect(text.body.message).toContain('file: not an image');
    const huge = Buffer.concat([await makePhoto('#446'), Buffer.alloc(50 * 1024 * 1024)]);
    expect((await uploadRaw(service, huge)).body.message).toBe('file: larger than 52428800 bytes');
    const empty = new FormData();
    empty.set('other', 'x');
    const missing = await service.send('/upload-media/', { method: 'POST', body: empty });
    expect(missing).toEqual({
      status: 400,
      body: { message: 'file: this field is required', status: 'failed' },
    });
    expect((await service.call('POST', '/upload-media/', {})).status).toBe(400);
    const two = new FormData();
    for (const name of ['a.jpg', 'b.jpg'])
      two.append('file', new Blob([new Uint8Array(await makePhoto('#446'))]), name);
    const several = await service.send('/upload-media/', { method: 'POST', body: two });
    expect(several.body.message).toBe('file: one file per request');
    expect(await fs.readdir(path.join(service.dataDir, 'files'))).toEqual([]);
    expect(service.ledger.entries()).toEqual([]);
  });
});
