import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { API_KEY, CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const NOT_SENT = { came: 'not-sent' };

/** A client of an address that nobody listens on. */
async function clientOfNobody(protocol: 'http' | 'https') {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return createClient({ baseUrl: `${protocol}://127.0.0.1:${port}`, apiKey: API_KEY, clock: realClock });
}

describe('what was never sent', () => {
  it.each(['http', 'https'] as const)('a refused connection (%s)', async (protocol) => {
    const client = await clientOfNobody(protocol);
    const result = await client.createProduct(PRODUCT);
    expect(meaning(result)).toEqual({ ...NOT_SENT, noToken: true });
    expect(result).toMatchObject({ error: { code: 'ECONNREFUSED', request: 'POST /get_auth_token' } });
    client.close();
  });

  it('a service that is gone when the create comes a second later, with a token in hand', async () => {
    let time = 0;
    const { service, client } = await held.start({
      client: { clock: { ...realClock, monotonic: () => time } },
    });
    const first = client.getProduct('p-1');
    (await service.next('GET /products/p-1/')).respond(200, CREATED);
    expect(meaning(await first)).toBe('ok');
    await service.close();
    time = 1000;
    expect(meaning(await client.createProduct(PRODUCT))).toEqual(NOT_SENT);
  });

  it('a TLS handshake that fails after the connection was made', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.resetAndDestroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `https://127.0.0.1:${port}`, apiKey: API_KEY, clock: realClock });
    expect(meaning(await client.getAuthToken())).toEqual({ ...NOT_SENT, noToken: true });
    client.close();
    server.close();
  });

  it('an aborted request before it left', async () => {
    const { service, client } = await held.start();
    const result = await client.createProduct(PRODUCT, { signal: AbortSignal.abort() });
    expect(meaning(result)).toEqual({ came: 'aborted', noToken: true });
    expect(service.seen).not.toContain('POST /products/');
  });

  it('a request aborted while it waits for the token; others go on waiting', async () => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const stop = new AbortController();
    const aborted = client.createProduct(PRODUCT, { signal: stop.signal });
    const other = client.getProduct('p-1');
    const token = await service.next('POST /get_auth_token');
    stop.abort();
    expect(meaning(await aborted)).toEqual({ came: 'aborted', noToken: true });
    token.respond(200, { data: { access_token: 't', expires_at: 3600 } });
    (await service.next('GET /products/p-1/')).respond(200, CREATED);
    expect(meaning(await other)).toBe('ok');
    expect(service.seen).toEqual(['POST /get_auth_token', 'GET /products/p-1/']);
  });
});

describe('what was sent and not answered', () => {
  it('a request that we abort', async () => {
    const deadlines = createManualClock();
    const { service, client } = await held.start({ client: { deadlines } });
    const stop = new AbortController();
    let isOver = false;
    const reply = client.createProduct(PRODUCT, { signal: stop.signal }).finally(() => (isOver = true));
    await service.next('POST /products/');
    stop.abort();
    // It has left, so it is awaited as long as any other request.
    await deadlines.advance(59_999);
    expect(isOver).toBe(false);
    await deadlines.advance(1);
    const result = await reply;
    expect(meaning(result)).toEqual({ came: 'no-answer' });
    expect(result).toMatchObject({ error: { code: 'ERR_ABORTED' } });
  });

  it('a client that is closed', async () => {
    const { service, client } = await held.start();
    const reply = client.createProduct(PRODUCT);
    await service.next('POST /products/');
    client.close();
    expect(meaning(await reply)).toEqual({ came: 'no-answer' });
  });

  it.each([{ idleMs: 500 }, { totalMs: 500 }])('a silent service: %o', async (requestTimeouts) => {
    const { service, client } = await held.start({ client: { requestTimeouts } });
    const reply = client.createProduct(PRODUCT);
    await service.next('POST /products/');
    const result = await reply;
    expect(meaning(result)).toEqual({ came: 'no-answer' });
    expect(result).toMatchObject({ error: { code: 'ETIMEDOUT' } });
  });

  it('a reset on a connection that was used before', async () => {
    const { service, client } = await held.start();
    const reply = client.getProduct('p-1');
    const call = await service.next('GET /products/p-1/');
    call.respond(200, CREATED);
    await reply;
    const again = client.deleteProduct('p-1');
    const second = await service.next('DELETE /products/p-1/');
    expect(second.clientPort).toBe(call.clientPort);
    second.reset();
    expect(meaning(await again)).toEqual({ came: 'no-answer' });
  });

  it('a compressed answer on a connection that breaks', async () => {
    const { service, client } = await held.start();
    const reply = client.createProduct(PRODUCT);
    const call = await service.next('POST /products/');
    const bytes = gzipSync(JSON.stringify(CREATED));
    call.respondRaw(201, bytes.subarray(0, 30), {
      'content-encoding': 'gzip',
      'content-length': bytes.length,
    });
    call.end();
    expect(meaning(await reply)).toEqual({ came: 'unusable', status: 201 });
  });
});

describe('connections', () => {
  it('64 requests at once under one signal leave no warning and no listener', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const { service, client } = await held.start();
    const { signal } = new AbortController();
    const replies = Array.from({ length: 64 }, () => client.getProduct('p-1', { signal }));
    for (let n = 0; n < 64; n++) (await service.next('GET /products/p-1/')).respond(200, CREATED);
    expect((await Promise.all(replies)).every((reply) => reply.ok)).toBe(true);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('what the service asks for', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 06:30:09 GMT', date: 'Sat, 21 Nov 2026 06:30:00 GMT' }, 9000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 06:29:00 GMT', date: 'Sat, 21 Nov 2026 06:30:00 GMT' }, 0],
    [{ 'retry-after': '1000000000000' }, 1e15],
    [{ 'retry-after': 'abc' }, undefined],
    [{}, undefined],
  ])('%o', async (headers, retryAfterMs) => {
    const { service, client } = await held.start();
    const reply = client.createProduct(PRODUCT);
    (await service.next('POST /products/')).respond(429, { message: 'slow down' }, headers);
    expect(await reply).toMatchObject({ error: { came: 'throttled', retryAfterMs } });
  });

  it('statuses that prove that nothing was done', async () => {
    const { service, client } = await held.start({ client: { nothingDone: [503] } });
    const reply = client.createProduct(PRODUCT);
    (await service.next('POST /products/')).respond(503, { message: 'maintenance' });
    expect(await reply).toMatchObject({ error: { came: 'not-done' } });
  });
});

describe('secrets', () => {
  it('never stand in an error, even when the service echoes them', async () => {
    const token = 'canary-token-91bc';
    const { service, client } = await held.start({
      service: { token: () => ({ access_token: token, expires_at: 3600 }) },
    });
    const reply = client.createProduct(PRODUCT);
    const message = `bad token ${token} of ${API_KEY}\u001B]52;c;aGk=\u0007 \u202Egnp.exe\r\nnext`;
    (await service.next('POST /products/')).respond(400, { status: 'failed', message });
    const result = await reply;
    if (result.ok) throw new Error('a 400 is no success');
    expect(result.error.serviceMessage).toBe('bad token [redacted] of [redacted] gnp.exe next');
    const everything = inspect(result.error, { depth: 9, showHidden: true });
    expect(everything).not.toContain('canary');
    expect(result.error.problem.detail).toBe(
      'POST /products/: refused (400): bad token [redacted] of [redacted] gnp.exe next',
    );
  });

  it('never stand in a record, but for the links in it, which are followed as they came', async () => {
    const token = 'canary-token-91bc';
    const { service, client } = await held.start({
      service: { token: () => ({ access_token: token, expires_at: 3600 }) },
    });
    const reply = client.getMedia('c-1', 'i-1');
    const media_info = `https://cdn.example.com/1.png?token=${token}`;
    const error_message = `none of ${media_info} for ${API_KEY}`;
    const data = {
      id: 'm-1',
      generate_config: 'c-1',
      media_info,
      error_message,
      assets_used: API_KEY,
      status: token,
    };
    (await service.next('GET /media/c-1/i-1/')).respond(200, { data });
    expect(await reply).toMatchObject({
      value: {
        id: 'm-1',
        media_info,
        error_message: 'none of https://cdn.example.com/1.png for [redacted]',
        status: '[redacted]',
      },
    });
    expect(JSON.stringify(await reply)).not.toContain(API_KEY);
    const product = client.getProduct('p-1');
    const media_urls = [{ url: media_info }];
    (await service.next('GET /products/p-1/')).respond(200, {
      data: { id: 'p-1', name: API_KEY, media_urls },
    });
    expect(await product).toMatchObject({ value: { name: '[redacted]', media_urls } });
  });

  it.each(['reset', 'refuse'] as const)('never stand in an error of the token endpoint: %s', async (way) => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const reply = client.getProduct('p-1');
    const call = await service.next('POST /get_auth_token');
    expect(JSON.parse(call.body)).toEqual({ api_key: API_KEY });
    if (way === 'reset') call.reset();
    else call.respond(401, { status: 'failed', message: `unknown key ${API_KEY}` });
    const result = await reply;
    expect(meaning(result)).toMatchObject({
      came: way === 'reset' ? 'not-sent' : 'unauthorized',
      noToken: true,
    });
    expect(inspect(result, { depth: 9, showHidden: true })).not.toContain('canary');
  });
});
