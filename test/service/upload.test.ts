import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeoutsOf } from '../../src/service/connections.ts';
import { CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const ROUTE = 'POST /upload-media/';
const stored = { status: 'success', data: { url: 'https://cdn.example.com/1.png' } };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-upload-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function photo(bytes = 300_000) {
  const file = path.join(folder, 'photo.png');
  const content = Buffer.alloc(bytes, 'x');
  await writeFile(file, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path: file, filename: 'tote "1".png', contentType: 'image/png', sha256 };
}

describe('uploadMedia', () => {
  it('sends one part with its name, type and a known length', async () => {
    const { service, client } = await held.start();
    const reply = client.uploadMedia(await photo());
    const call = await service.next(ROUTE);
    call.respond(200, stored);
    expect(await reply).toEqual({ ok: true, value: 'https://cdn.example.com/1.png' });
    expect(Number(call.headers['content-length'])).toBe(Buffer.byteLength(call.body));
    expect(call.headers['transfer-encoding']).toBeUndefined();
    expect(call.body).toContain('name="file"; filename="tote %221%22.png"\r\nContent-Type: image/png\r\n');
    expect(call.body).toContain(`\r\n\r\n${'x'.repeat(300_000)}\r\n--`);
  });

  it('a silent service has the time that the manifest gives it', async () => {
    const { service, client } = await held.start({
      client: { requestTimeouts: timeoutsOf({ answerMs: 200, uploadMs: 60_000 }) },
    });
    const upload = client.uploadMedia(await photo());
    const reply = client.createProduct(PRODUCT);
    const call = await service.next(ROUTE);
    await service.next('POST /products/');
    expect(meaning(await reply)).toEqual({ came: 'no-answer' });
    // All of the photo went out at once, and who took it may hand it on slowly.
    call.respond(200, stored);
    expect(meaning(await upload)).toBe('ok');
  });

  it('sends the file again after a 401', async () => {
    const { service, client } = await held.start();
    const reply = client.uploadMedia(await photo());
    const first = await service.next(ROUTE);
    first.respond(401, {});
    const second = await service.next(ROUTE);
    second.respond(201, stored);
    expect(await reply).toMatchObject({ ok: true });
    expect(second.headers['content-length']).toBe(first.headers['content-length']);
  });

  it('does not wait for a pipe that took the place of the file', async () => {
    const { service, client } = await held.start();
    const file = await photo();
    const reply = client.uploadMedia(file);
    const first = await service.next(ROUTE);
    await rm(file.path);
    await promisify(execFile)('mkfifo', [file.path]);
    first.respond(401, {});
    expect(await reply).toMatchObject({ ok: false, error: { code: 'ERR_FILE_CHANGED' } });
  });

  it('looks for the URL where the setting says', async () => {
    const { service, client } = await held.start({ client: { uploadUrl: '/result/0' } });
    const reply = client.uploadMedia(await photo());
    (await service.next(ROUTE)).respond(200, { result: ['https://cdn.example.com/2.png'] });
    expect(await reply).toEqual({ ok: true, value: 'https://cdn.example.com/2.png' });
  });

  it('is lost where no URL is found', async () => {
    const { service, client } = await held.start();
    const reply = client.uploadMedia(await photo());
    (await service.next(ROUTE)).respond(200, CREATED);
    expect(meaning(await reply)).toEqual({ came: 'unusable', status: 200 });
  });

  it('names a file that is not there', async () => {
    const { service, client } = await held.start();
    const result = await client.uploadMedia({
      path: path.join(folder, 'none'),
      filename: 'a',
      contentType: 'b/c',
      sha256: '',
    });
    expect(meaning(result)).toEqual({ came: 'local-file' });
    expect(service.seen).toEqual([]);
  });

  it('never sends the end of another file than the one that is meant, whatever its size and times', async () => {
    const file = await photo(3_000_000);
    const { service, client } = await held.start();
    const other = { ...file, sha256: '0'.repeat(64) };
    expect(meaning(await client.uploadMedia(other))).toEqual({
      came: 'local-file',
    });
    const { body } = await service.next(ROUTE);
    expect([body.length < 3_000_000, body.endsWith('--\r\n')]).toEqual([true, false]);
    const right = client.uploadMedia(file);
    (await service.next(ROUTE)).respond(201, stored);
    expect(await right).toMatchObject({ ok: true });
  });

  it('ends where the file changes before it was sent', async () => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const file = await photo();
    const reply = client.uploadMedia(file);
    const token = await service.next('POST /get_auth_token');
    await appendFile(file.path, 'more');
    token.respond(200, { data: { access_token: 't' } });
    expect(meaning(await reply)).toEqual({ came: 'local-file' });
  });
});
