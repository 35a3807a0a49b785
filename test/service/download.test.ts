import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provenStatuses } from '../../src/service/classify-status.ts';
import { createConnections, DEFAULT_TIMEOUTS } from '../../src/service/connections.ts';
import { downloadFile } from '../../src/service/download.ts';
import { createSecrets } from '../../src/service/secrets.ts';
import { TokenSource } from '../../src/service/token.ts';
import { realClock } from '../../src/util/clock.ts';
import { ok } from '../../src/util/result.ts';
import { API_KEY, heldFixture, meaning } from './fixtures.ts';

const held = heldFixture();
const BYTES = Buffer.alloc(200_000, 'png');
const IMAGE = { 'content-type': 'image/png; charset=binary' };
let folder = '';
let part = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-download-'));
  part = path.join(folder, 'a.part');
});
afterEach(() => rm(folder, { recursive: true }));

describe('download', () => {
  it('streams into the file and says what it got', async () => {
    const { service, client } = await held.start();
    const reply = client.download({ url: `${service.url}/files/a.png`, path: part });
    const call = await service.next('GET /files/a.png');
    call.respondRaw(200, BYTES, IMAGE);
    expect(await reply).toEqual({
      ok: true,
      value: {
        bytes: BYTES.length,
        sha256: createHash('sha256').update(BYTES).digest('hex'),
        contentType: 'image/png',
        isEndTold: true,
        content: BYTES,
      },
    });
    expect((await readFile(part)).equals(BYTES)).toBe(true);
    expect(call.headers.authorization).toBe('Bearer token-1');
  });

  it('sends no token to another port, nor after a redirect to one', async () => {
    const { service, client } = await held.start();
    const { service: other } = await held.start();
    const direct = client.download({ url: `${other.url}/a`, path: part });
    const first = await other.next('GET /a');
    first.respondRaw(200, 'x');
    await direct;
    const redirected = client.download({ url: `${service.url}/b`, path: part });
    (await service.next('GET /b')).respond(302, {}, { location: `${other.url}/c` });
    const second = await other.next('GET /c');
    second.respondRaw(200, 'y');
    expect(await redirected).toMatchObject({ ok: true, value: { bytes: 1 } });
    expect([first.headers.authorization, second.headers.authorization]).toEqual([undefined, undefined]);
    expect(other.seen).toEqual(['GET /a', 'GET /c']);
  });

  it.each(['http://cdn.example.com/a', 'file:///etc/passwd', '//', 'ftp://127.0.0.1/'])(
    'refuses a redirect to %s',
    async (location) => {
      const { service, client } = await held.start();
      const reply = client.download({ url: `${service.url}/a`, path: part });
      (await service.next('GET /a')).respond(302, {}, { location });
      expect(meaning(await reply)).toEqual({ came: 'refused' });
    },
  );

  it('follows three redirects, not four', async () => {
    const { service, client } = await held.start();
    const reply = client.download({ url: `${service.url}/a`, path: part });
    for (let n = 0; n < 4; n++) (await service.next('GET /a')).respond(307, {}, { location: '/a' });
    expect(await reply).toMatchObject({ error: { came: 'refused' } });
    expect(service.seen.filter((name) => name === 'GET /a')).toHaveLength(4);
  });

  it.each([
    [403, 'refused'],
    [404, 'refused'],
    [410, 'refused'],
    [429, 'throttled'],
    [503, 'server-error'],
  ])('%i', async (status, came) => {
    const { service, client } = await held.start();
    const reply = client.download({ url: `${service.url}/a?signature=canary`, path: part });
    (await service.next('GET /a?signature=canary')).respond(status, { message: 'no' });
    const result = await reply;
    expect(result).toMatchObject({ error: { came, status, request: `GET ${service.url}/a` } });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['declared', 'chunked'] as const)(
    'a body that is cut (%s) leaves what came of it to the caller',
    async (length) => {
      const { service, client } = await held.start();
      const reply = client.download({ url: `${service.url}/a`, path: part });
      (await service.next('GET /a')).cut(200, 'x'.repeat(50_000), length);
      expect(meaning(await reply)).toEqual({
        came: 'unusable',
        status: 200,
      });
      expect(await readdir(folder)).toEqual(['a.part']);
    },
  );

  it.each([
    ['bytes 0-199999/400000', false],
    ['bytes 1-200000/200001', false],
    ['bytes 0-199999/200000', true],
    ['bytes 0-199999/*', true],
    [undefined, true],
  ])('takes a part (206, Content-Range %s) for a whole file: %s', async (range, isWhole) => {
    const { service, client } = await held.start();
    const reply = client.download({ url: `${service.url}/a`, path: part });
    (await service.next('GET /a')).respondRaw(206, BYTES, {
      ...IMAGE,
      ...(range === undefined ? {} : { 'content-range': range }),
    });
    expect(await reply).toMatchObject(
      isWhole ? { ok: true } : { ok: false, error: { came: 'unusable', detail: 'the file was cut' } },
    );
  });

  it('names a folder that is not there', async () => {
    const { service, client } = await held.start();
    const reply = client.download({ url: `${service.url}/a`, path: path.join(folder, 'none', 'a') });
    (await service.next('GET /a')).respondRaw(200, BYTES);
    expect(await reply).toMatchObject({ error: { came: 'local-file', code: 'ENOENT' } });
  });
});

describe('downloadFile', () => {
  /** A download of at most 1,000 bytes for a service on https. */
  async function fetchSmall(url: string, allowLoopbackHttp = true) {
    const connections = createConnections({
      redact: String,
      timeouts: DEFAULT_TIMEOUTS,
      clock: realClock,
      deadlines: realClock,
      concurrency: 1,
    });
    const tokens = new TokenSource({
      fetchToken: () => Promise.resolve(ok({ value: 't', lifeMs: undefined })),
      clock: realClock,
    });
    const baseUrl = 'https://visuals.example.com';
    const secrets = createSecrets([API_KEY]);
    const context = {
      baseUrl,
      apiKey: API_KEY,
      secrets,
      connections,
      clock: realClock,
      nothingDone: provenStatuses(),
    };
    const result = await downloadFile(context, tokens, {
      url,
      path: part,
      maxBytes: 1000,
      allowLoopbackHttp,
    });
    connections.close();
    return result;
  }

  it.each([{}, { 'transfer-encoding': 'chunked' }])(
    'refuses a file that is too large: %o',
    async (headers) => {
      const { service } = await held.start();
      const reply = fetchSmall(`${service.url}/a`);
      (await service.next('GET /a')).respondRaw(200, BYTES, headers);
      expect(await reply).toMatchObject({ error: { came: 'refused' } });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('refuses one that unpacks to more than a file may have, while it is written', async () => {
    const { service } = await held.start();
    const reply = fetchSmall(`${service.url}/a`);
    const body = gzipSync(Buffer.alloc(100_000));
    expect(body.length).toBeLessThan(1_000);
    (await service.next('GET /a')).respondRaw(200, body, { 'content-encoding': 'gzip' });
    expect(await reply).toMatchObject({ error: { came: 'refused' } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('fetches nothing from this machine for a service elsewhere', async () => {
    const { service } = await held.start();
    expect(await fetchSmall(`${service.url}/a`, false)).toMatchObject({ error: { came: 'refused' } });
    expect(service.seen).toEqual([]);
  });
});
