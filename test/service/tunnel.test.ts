import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createClient, type ClientOptions } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { startConnectProxy, type TunnelEnd } from '../support/connect-proxy.ts';
import { startHeldService } from '../support/held-service.ts';
import { startRawServer } from '../support/raw-server.ts';
import { startTlsFront, TEST_HOST } from '../support/tls-front.ts';
import { API_KEY, meaning, PRODUCT } from './fixtures.ts';

const BASE_URL = `https://${TEST_HOST}/v1`;
const CREDENTIALS = 'cook:canary-p%40ss';

/** What is closed when the test ends. */
async function opened<S extends { close(): Promise<void> }>(starting: Promise<S>): Promise<S> {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
}

/** A client whose requests go through a proxy. */
async function throughProxy(end: TunnelEnd, options: Partial<ClientOptions> = {}) {
  const proxy = await opened(startConnectProxy(end));
  const url = new URL(`http://${CREDENTIALS}@127.0.0.1:${proxy.port}`);
  const client = createClient({
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    clock: realClock,
    proxyFor: () => url,
    ...options,
  });
  onTestFinished(() => client.close());
  return { proxy, client };
}

it.each([
  [502, 'not-sent', 'not sent', 'ERR_PROXY'],
  [503, 'not-sent', 'not sent', 'ERR_PROXY'],
  [429, 'not-sent', 'not sent', 'ERR_PROXY'],
  [401, 'misconfigured', 'not sent, no trusted connection', 'it does not lead there, ERR_PROXY_REFUSED'],
  [403, 'misconfigured', 'not sent, no trusted connection', 'it does not lead there, ERR_PROXY_REFUSED'],
  [405, 'misconfigured', 'not sent, no trusted connection', 'it does not lead there, ERR_PROXY_REFUSED'],
])(
  'a proxy that answers %i to CONNECT: %s, and told by its name and in its words',
  async (status, came, words, code) => {
    const { proxy, client } = await throughProxy({ status });
    const result = await client.createProduct(PRODUCT);
    expect(meaning(result)).toEqual({ came, noToken: true });
    expect(result).toMatchObject({
      error: {
        problem: {
          detail: `POST /get_auth_token: ${words} (the proxy 127.0.0.1:${proxy.port} answered ${status} No (no), ${code})`,
        },
      },
    });
    expect(proxy.asked).toEqual([
      {
        target: `${TEST_HOST}:443`,
        authorization: `Basic ${Buffer.from('cook:canary-p@ss').toString('base64')}`,
      },
    ]);
  },
);

it('a proxy that wants other credentials is a matter of configuration', async () => {
  const { proxy, client } = await throughProxy({ status: 407 });
  const result = await client.createProduct(PRODUCT);
  expect(result).toMatchObject({
    error: {
      came: 'misconfigured',
      problem: {
        detail:
          'POST /get_auth_token: not sent, no trusted connection ' +
          `(the proxy 127.0.0.1:${proxy.port} answered 407 No (no), it wants other credentials, ERR_PROXY_AUTHENTICATION)`,
      },
    },
  });
  expect(await client.createProduct(PRODUCT)).toEqual(result);
  expect(proxy.asked).toHaveLength(1);
});

it('a proxy that breaks off', async () => {
  const { proxy, client } = await throughProxy('cut');
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: {
      came: 'not-sent',
      code: 'ECONNRESET',
      detail: `through the proxy 127.0.0.1:${proxy.port}`,
    },
  });
});

it('a proxy that speaks TLS where http is named: trying again is pointless', async () => {
  const answersAlert = await opened(startRawServer(() => new Uint8Array([21, 3, 1, 0, 2, 2, 70])));
  const { port } = new URL(answersAlert.url);
  const { client } = await throughProxy('silent', { proxyFor: () => new URL(`http://127.0.0.1:${port}`) });
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: {
      came: 'misconfigured',
      code: 'ERR_PROXY_NO_HTTP',
      detail: `through the proxy 127.0.0.1:${port}`,
    },
  });
});

it('a proxy that says nothing ends with the time for connecting', async () => {
  const { client } = await throughProxy('silent', { requestTimeouts: { connectMs: 200 } });
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: { came: 'not-sent', code: 'ETIMEDOUT' },
  });
});

it('a handshake inside the tunnel that never ends has the same time', async () => {
  const silent = await opened(startRawServer(() => () => {}));
  const end = { port: Number(new URL(silent.url).port) };
  const { proxy, client } = await throughProxy(end, { requestTimeouts: { connectMs: 200 } });
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: {
      came: 'not-sent',
      code: 'ETIMEDOUT',
      detail: `through the proxy 127.0.0.1:${proxy.port}`,
    },
  });
});

it('a proxy that is not there', async () => {
  const gone = await startConnectProxy('silent');
  await gone.close();
  const { client } = await throughProxy('silent', {
    proxyFor: () => new URL(`http://127.0.0.1:${gone.port}`),
  });
  expect(await client.getProduct('p-1')).toMatchObject({
    error: { came: 'not-sent', code: 'ECONNREFUSED', detail: `through the proxy 127.0.0.1:${gone.port}` },
  });
});

it('a handshake inside the tunnel that meets a wrong certificate', async () => {
  const service = await opened(startHeldService());
  const front = await opened(startTlsFront(service, { certificate: 'self-signed' }));
  const { client } = await throughProxy({ port: front.port });
  expect(await client.createProduct(PRODUCT)).toMatchObject({
    error: { came: 'misconfigured', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
  expect(service.seen).toEqual([]);
});

it('a tunnel to what speaks no TLS: nothing was sent, and trying again is pointless', async () => {
  const speaksNoTls = await opened(startConnectProxy('cut'));
  const { client } = await throughProxy({ port: speaksNoTls.port });
  const result = await client.createProduct(PRODUCT);
  expect(meaning(result)).toEqual({ came: 'misconfigured', noToken: true });
});

it('this machine is never reached through a proxy', async () => {
  const service = await opened(startHeldService());
  const { proxy, client } = await throughProxy('cut', { baseUrl: service.url });
  const reply = client.getProduct('p-1');
  (await service.next('GET /products/p-1/')).respond(200, { data: { id: 'p-1' } });
  expect(meaning(await reply)).toBe('ok');
  expect(proxy.asked).toEqual([]);
});

it.each([
  ['<html><head><title>Not for you</title></head></html>', {}, '403 No (Not for you)'],
  ['', {}, '403 No'],
  ['<title>ERROR</title>', { 'x-squid-error': 'ERR_ACCESS_DENIED 0' }, '403 No (ERR_ACCESS_DENIED)'],
])('what a proxy says with a refusal: %s %o', async (page, headers, words) => {
  const { client } = await throughProxy({ status: 403, page, headers });
  const result = await client.createProduct(PRODUCT);
  expect(result).toMatchObject({ error: { detail: expect.stringMatching(/ answered (.*)$/) as string } });
  expect(result.ok || result.error.detail?.replace(/^.* answered /, '')).toBe(words);
});

it('credentials stand in no error and no trace, whatever the proxy says', async () => {
  const entries: unknown[] = [];
  const { client } = await throughProxy(
    { status: 502, page: 'no canary-p@ss here' },
    { secrets: ['canary-p@ss'], trace: (entry) => entries.push(entry) },
  );
  const result = await client.createProduct(PRODUCT);
  const everything = inspect([result, entries], { depth: 12, showHidden: true });
  expect(entries).toHaveLength(1);
  expect(everything).not.toContain('canary');
  expect(everything).not.toContain(Buffer.from('cook:canary-p@ss').toString('base64'));
});
