import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.ts';
import { harEntries, type HarEntry, harProblems } from '../support/har-schema.ts';
import { API_KEY, CREATED, heldFixture, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const TOKEN = 'canary-token-b77e';
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-trace-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A traced client; `read` checks that all of it is a HAR file without a secret, and gives the entries. */
async function start(service: Parameters<typeof held.start>[0] = {}) {
  const entries: JsonObject[] = [];
  const started = await held.start({
    service: { token: () => ({ access_token: TOKEN, token_type: 'Bearer', expires_at: 3600 }) },
    ...service,
    client: { ...service.client, trace: (entry) => entries.push(entry) },
  });
  const read = (): HarEntry[] => {
    const creator = { name: 'campaign', version: '0' };
    const content = JSON.stringify({ log: { version: '1.2', creator, entries } });
    expect(harProblems(content)).toEqual([]);
    expect(content).not.toContain('canary');
    return harEntries(content);
  };
  return { ...started, read };
}

function header({ headers }: { headers: { name: string; value: string }[] }, name: string) {
  return headers.find((one) => one.name.toLowerCase() === name)?.value;
}

describe('a traced request', () => {
  it('holds what went out and what came back, the token route included', async () => {
    const { service, client, read } = await start();
    const reply = client.createProduct({ ...PRODUCT, name: 'Täsch' });
    (await service.next('POST /products/')).respond(201, CREATED, { 'x-request-id': 'r-1' });
    await reply;
    const [token, create] = read();
    expect(token).toMatchObject({
      request: {
        method: 'POST',
        url: `${service.url}/get_auth_token`,
        postData: { text: '{"api_key":"[redacted]"}' },
      },
      response: { status: 200, content: { mimeType: 'application/json' } },
    });
    expect(JSON.parse(token?.response.content.text ?? '')).toEqual({
      status: 'success',
      message: 'ok',
      data: { access_token: '[redacted]', token_type: 'Bearer', expires_at: 3600 },
    });
    expect(create).toMatchObject({
      request: { method: 'POST', url: `${service.url}/products/` },
      response: {
        status: 201,
        content: { size: JSON.stringify(CREATED).length, text: JSON.stringify(CREATED) },
      },
    });
    expect(JSON.parse(create?.request.postData?.text ?? '')).toEqual({ ...PRODUCT, name: 'Täsch' });
    if (!create) throw new Error('two entries were expected');
    expect(header(create.request, 'authorization')).toBe('[redacted]');
    expect(header(create.request, 'user-agent')).toBe('campaign');
    expect(header(create.response, 'x-request-id')).toBe('r-1');
    expect(create.time).toBeGreaterThanOrEqual(0);
  });

  it('knows a refusal, a redirect and a compressed answer', async () => {
    const { service, client, read } = await start();
    const ask = async (answer: (call: Awaited<ReturnType<typeof service.next>>) => void) => {
      const reply = client.getProduct('p-1');
      answer(await service.next('GET /products/p-1/'));
      await reply;
    };
    await ask((call) => call.respond(404, { status: 'failed', message: `none for ${API_KEY}` }));
    await ask((call) => call.respond(302, {}, { location: `https://elsewhere.example.com/?key=${TOKEN}` }));
    const packed = gzipSync(JSON.stringify(CREATED));
    await ask((call) => call.respondRaw(200, packed, { 'content-encoding': 'gzip' }));
    const [, missing, redirect, compressed] = read();
    expect(missing?.response.content.text).toBe('{"status":"failed","message":"none for [redacted]"}');
    expect(redirect?.response).toMatchObject({
      status: 302,
      redirectURL: 'https://elsewhere.example.com/',
    });
    expect(compressed?.response.content.text).toBe(JSON.stringify(CREATED));
    expect(compressed && header(compressed.response, 'content-encoding')).toBe('gzip');
  });

  it('without an answer says why', async () => {
    const { service, client, read } = await start();
    const reply = client.getProduct('p-1');
    (await service.next('GET /products/p-1/')).reset();
    await reply;
    expect(read()[1]?.response).toMatchObject({ status: 0, _error: 'ECONNRESET' });
  });

  it('leaves out a body that was cut, and says so', async () => {
    const { service, client, read } = await start();
    const reply = client.getProduct('p-1');
    (await service.next('GET /products/p-1/')).cut(200, CREATED);
    await reply;
    expect(read()[1]?.response.content).toMatchObject({ comment: 'its body was cut' });
    expect(read()[1]?.response.content.text).toBeUndefined();
  });

  it('leaves out what the token route answers where it is no JSON', async () => {
    const { service, client, read } = await start({ service: { holdTokenRoute: true } });
    const reply = client.getProduct('p-1');
    (await service.next('POST /get_auth_token')).respondRaw(200, 'access_token=canary-unseen');
    await reply;
    expect(read()[0]?.response.content).toEqual({
      size: 26,
      mimeType: '',
      comment: 'left out: it may hold a token',
    });
  });
});

describe('files', () => {
  it('are left out, their names and sizes are kept', async () => {
    const { service, client, read } = await start();
    const photo = path.join(folder, 'a.png');
    await writeFile(photo, 'PHOTO-BYTES');
    const sha256 = createHash('sha256').update('PHOTO-BYTES').digest('hex');
    const upload = client.uploadMedia({
      path: photo,
      filename: 'tote.png',
      contentType: 'image/png',
      sha256,
    });
    (await service.next('POST /upload-media/')).respond(200, { data: 'https://cdn.example.com/1.png' });
    await upload;
    const download = client.download({ url: `${service.url}/1.png?signature=7`, path: photo });
    const call = await service.next('GET /1.png?signature=7');
    call.respondRaw(200, 'PIXELS', { 'content-type': 'image/png' });
    await download;
    const [, sent, fetched] = read();
    expect(sent?.request.postData).toMatchObject({
      params: [{ name: 'file', fileName: 'tote.png', contentType: 'image/png', comment: 'file of 11 bytes' }],
    });
    expect(JSON.stringify(sent)).not.toContain('PHOTO-BYTES');
    expect(fetched?.request).toMatchObject({
      url: `${service.url}/1.png`,
      queryString: [],
      comment: 'the query of the URL is left out',
    });
    expect(fetched?.response.content).toEqual({
      size: 6,
      mimeType: 'image/png',
      comment: 'left out: a file',
    });
  });

  it('have links that nobody else can follow, in whatever text they travel', async () => {
    const { service, client, read } = await start();
    const info = JSON.stringify({ url: 'https://user:canary@cdn.example.com/1.png?canary=1&s=2', n: 1 });
    const reply = client.getMedia('c-1', 'i-1');
    const call = await service.next('GET /media/c-1/i-1/');
    const headers = { location: '/2?canary=1', 'x-next': 'https://cdn.example.com/2?canary=1', [TOKEN]: '1' };
    call.respond(200, { data: { id: 'm-1', media_info: info } }, headers);
    // What is followed is the link as it came.
    expect(await reply).toMatchObject({ value: { media_info: info } });
    const sent = client.createProduct({
      ...PRODUCT,
      media_urls: [{ type: 'image', url: 'https://cdn.example.com/1?canary#x' }],
    });
    (await service.next('POST /products/')).respond(201, CREATED);
    await sent;
    const [, polled, created] = read();
    const text = JSON.parse(polled?.response.content.text ?? '') as { data: { media_info: string } };
    expect(JSON.parse(text.data.media_info)).toEqual({ url: 'https://cdn.example.com/1.png', n: 1 });
    expect(polled && header(polled.response, 'location')).toBe('/2');
    expect(polled && header(polled.response, 'x-next')).toBe('https://cdn.example.com/2');
    expect(created?.request.postData?.text).toContain('{"type":"image","url":"https://cdn.example.com/1"}');
  });

  it('that are redirected are one entry each', async () => {
    const { service, client, read } = await start();
    const file = path.join(folder, 'a');
    const reply = client.download({ url: `${service.url}/a`, path: file });
    (await service.next('GET /a')).respond(302, {}, { location: '/b' });
    (await service.next('GET /b')).respond(403, { message: 'expired' });
    await reply;
    expect(read().map(({ request, response }) => [request.url, response.status])).toEqual([
      [`${service.url}/get_auth_token`, 200],
      [`${service.url}/a`, 302],
      [`${service.url}/b`, 403],
    ]);
  });
});

it('every token that was issued is removed, in whatever way it is spelled', async () => {
  let issued = 0;
  const tokens = () => ({ access_token: `canary/${++issued}+`, expires_at: 3600 });
  const { service, client, read } = await start({ service: { token: tokens } });
  const first = client.getProduct('p-1');
  (await service.next('GET /products/p-1/')).respond(401, {});
  (await service.next('GET /products/p-1/')).respond(200, CREATED);
  await first;
  const second = client.getProduct('p-1');
  const escaped = 'canary/1+'
    .split('')
    .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const hidden = Buffer.from('canary/2+').toString('base64');
  const body = `{"data":{"id":"p-1","name":"${escaped.join('')} canary%2f1%2b ${hidden}"}}`;
  (await service.next('GET /products/p-1/')).respondRaw(200, body);
  await second;
  expect(read().at(-1)?.response.content.text).toBe(
    '{"data":{"id":"p-1","name":"[redacted] [redacted] [redacted]"}}',
  );
});
