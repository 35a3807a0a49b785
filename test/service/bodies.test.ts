import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { startHeldService } from '../support/held-service.ts';
import { API_KEY, CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A service that sends all its answers byte by byte, and a client that gives a request half a second. */
async function startDrip(answer: { status: number; body: Buffer; headers?: http.OutgoingHttpHeaders }) {
  const server = http.createServer((request, response) => {
    request.resume();
    if (request.url === '/get_auth_token') {
      response.end(JSON.stringify({ data: { access_token: 't', expires_at: 3600 } }));
      return;
    }
    response.writeHead(answer.status, answer.headers);
    let sent = 0;
    const drip = setInterval(() => response.write(answer.body.subarray(sent, ++sent)), 10);
    response.on('close', () => clearInterval(drip));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requestTimeouts = { totalMs: 500, fileMs: 500, idleMs: 20_000 };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl: url, apiKey: API_KEY, clock: realClock, requestTimeouts });
  closing.push(() => {
    client.close();
    server.close();
    server.closeAllConnections();
  });
  return { client, url };
}

describe('an answer that drips', () => {
  const json = Buffer.from(JSON.stringify(CREATED).padEnd(10_000));

  it.each([
    ['plain', json, {}],
    ['compressed', gzipSync(json), { 'content-encoding': 'gzip' }],
  ])('ends with the total deadline: %s', async (_, body, headers) => {
    const { client } = await startDrip({ status: 201, body, headers });
    expect(await client.createProduct(PRODUCT)).toMatchObject({
      error: { came: 'unusable', status: 201 },
    });
  });

  it('and refuses is known by its status', async () => {
    const { client } = await startDrip({ status: 400, body: json });
    expect(meaning(await client.createProduct(PRODUCT))).toEqual({
      came: 'refused',
      status: 400,
    });
  });

  it.each([
    [200, 'unusable'],
    [403, 'refused'],
  ])('instead of a file ends too: %i', async (status, came) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-drip-'));
    closing.push(() => rm(folder, { recursive: true }));
    const { client, url } = await startDrip({ status, body: json, headers: { 'content-length': 10_000 } });
    const file = { url: `${url}/a.png`, path: path.join(folder, 'a') };
    expect(await client.download(file)).toMatchObject({ error: { came, status } });
    // What came of a file that was cut is for the caller to keep or to remove.
    expect(await readdir(folder)).toEqual(status === 200 ? ['a'] : []);
  });
});

describe('the size of an answer', () => {
  const LIMIT = 16 * 1024 * 1024;

  it.each([
    [LIMIT, 'plain', 'ok'],
    [LIMIT + 1, 'plain', 'unusable'],
    [LIMIT, 'compressed', 'ok'],
    [LIMIT + 1, 'compressed', 'unusable'],
  ])('%i bytes, %s: %s', async (bytes, packing, outcome) => {
    const { service, client } = await held.start();
    const reply = client.createProduct(PRODUCT);
    const body = Buffer.alloc(bytes, ' ');
    body.write(JSON.stringify(CREATED));
    const call = await service.next('POST /products/');
    if (packing === 'plain') call.respondRaw(201, body);
    else call.respondRaw(201, gzipSync(body), { 'content-encoding': 'gzip' });
    const result = await reply;
    expect(result.ok ? 'ok' : result.error.came).toBe(outcome);
    if (!result.ok) expect(result.error.problem.detail).toContain('(201, its body is larger than 16 MB)');
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is never followed, and is said', async (status) => {
    const { service, client } = await held.start();
    const other = await startHeldService();
    closing.push(() => other.close());
    const location = `${other.url}/login?next=1`;
    const create = client.createProduct(PRODUCT);
    (await service.next('POST /products/')).respond(status, {}, { location });
    const get = client.getProduct('p-1');
    (await service.next('GET /products/p-1/')).respond(status, {}, { location: '/\u009b31mred%0a' });
    expect(await create).toMatchObject({
      error: {
        came: 'unproven',
        problem: { detail: `POST /products/: refused (${status}, it redirects to ${other.url}/login)` },
      },
    });
    const result = await get;
    expect(result).toMatchObject({ error: { detail: 'it redirects to /red%0a' } });
    expect(other.seen).toEqual([]);
  });
});

it('a byte order mark before an answer is passed over', async () => {
  const { service, client } = await held.start();
  const reply = client.createProduct(PRODUCT);
  (await service.next('POST /products/')).respondRaw(201, `\uFEFF${JSON.stringify(CREATED)}`);
  expect(await reply).toMatchObject({ ok: true, value: { id: 'p-1' } });
});
