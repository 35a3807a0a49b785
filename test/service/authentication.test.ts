import { describe, expect, it } from 'vitest';
import { CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const ROUTE = 'POST /products/';
const refusal = { status: 'failed', message: 'Token is invalid' };

/** token-1, token-2, … */
function counting(): () => Record<string, unknown> {
  let issued = 0;
  return () => ({ access_token: `token-${++issued}`, token_type: 'Bearer', expires_at: 3600 });
}

describe('401', () => {
  it('is met with a new token and the same request, at once', async () => {
    const { service, client } = await held.start({ service: { token: counting() } });
    const reply = client.createProduct(PRODUCT);
    const first = await service.next(ROUTE);
    expect(first.headers.authorization).toBe('Bearer token-1');
    first.respond(401, refusal);
    const second = await service.next(ROUTE);
    expect(second.headers.authorization).toBe('Bearer token-2');
    expect(second.body).toBe(first.body);
    second.respond(201, CREATED);
    expect(meaning(await reply)).toBe('ok');
    expect(service.seen).toEqual(['POST /get_auth_token', ROUTE, 'POST /get_auth_token', ROUTE]);
  });

  it('for the new token too is final, for this request and the next', async () => {
    const { service, client } = await held.start({ service: { token: counting() } });
    const reply = client.createProduct(PRODUCT);
    (await service.next(ROUTE)).respond(401, refusal);
    (await service.next(ROUTE)).respond(401, refusal);
    const final = { came: 'unauthorized', status: 401 };
    expect(meaning(await reply)).toEqual(final);
    expect(meaning(await client.getProduct('p-1'))).toEqual(final);
    expect(service.seen).toHaveLength(4);
  });

  it('for the new token too, where the one before had worked, is not final: it counts as not sent', async () => {
    const { service, client } = await held.start({ service: { token: counting() } });
    const works = client.createProduct(PRODUCT);
    (await service.next(ROUTE)).respond(201, CREATED);
    expect(meaning(await works)).toBe('ok');
    const reply = client.createProduct(PRODUCT);
    (await service.next(ROUTE)).respond(401, refusal);
    (await service.next(ROUTE)).respond(401, refusal);
    const result = await reply;
    expect(meaning(result)).toEqual({ came: 'not-sent', status: 401, noToken: true });
    expect(result).toMatchObject({ error: { serviceMessage: refusal.message, request: 'POST /products/' } });
    const again = client.createProduct(PRODUCT);
    const third = await service.next(ROUTE);
    expect(third.headers.authorization).toBe('Bearer token-2');
    third.respond(201, CREATED);
    expect(meaning(await again)).toBe('ok');
  });

  it('for 64 requests at once costs one refresh', async () => {
    const { service, client } = await held.start({
      service: { token: counting() },
      client: { concurrency: 64 },
    });
    const replies = Array.from({ length: 64 }, () => client.getProduct('p-1'));
    const calls = [];
    for (let n = 0; n < 64; n++) calls.push(await service.next('GET /products/p-1/'));
    for (const call of calls) call.respond(401, refusal);
    for (let n = 0; n < 64; n++) (await service.next('GET /products/p-1/')).respond(200, CREATED);
    expect((await Promise.all(replies)).every((reply) => reply.ok)).toBe(true);
    expect(service.seen.filter((name) => name === 'POST /get_auth_token')).toHaveLength(2);
  });
});

describe('the token endpoint', () => {
  it.each([
    [400, 'unauthorized'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'misconfigured'],
    [301, 'misconfigured'],
    [408, 'not-sent'],
    [429, 'throttled'],
    [500, 'not-sent'],
    [503, 'not-sent'],
  ])('answers %i: %s', async (status, came) => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const reply = client.createProduct(PRODUCT);
    (await service.next('POST /get_auth_token')).respond(status, refusal, { 'retry-after': '3' });
    const result = await reply;
    expect(meaning(result)).toEqual({ came, status, noToken: true });
    expect(result).toMatchObject({ error: { retryAfterMs: 3000, serviceMessage: refusal.message } });
    expect(service.seen).toEqual(['POST /get_auth_token']);
  });

  it.each([
    [400, 'nginx/1.22.1', 'nginx, 400'],
    [401, undefined, '401'],
    [403, 'cloud shield', 'cloud, 403'],
    [200, 'nginx', 'nginx, 200'],
  ])('answers %i with a page of something before it: the key is not blamed', async (status, server, who) => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const reply = client.createProduct(PRODUCT);
    const page = '<html><head><title>Sign in first</title></head><body>No</body></html>';
    const head = { 'content-type': 'text/html', ...(server && { server }) };
    (await service.next('POST /get_auth_token')).respondRaw(status, page, head);
    const result = await reply;
    expect(meaning(result)).toEqual({ came: 'misconfigured', status, noToken: true });
    const summary = `Something before the service answered (${who})`;
    expect(result).toMatchObject({ error: { problem: { summary } } });
  });

  it.each([
    [401, { message: 'No API key found in request' }, 'No API key found in request'],
    [403, { status: 403, error: 'Forbidden' }, 'Forbidden'],
    [400, { fault: { faultstring: 'Invalid ApiKey' } }, '{"fault":{"faultstring":"Invalid ApiKey"}}'],
  ])('answers %i with JSON of a gateway: the key is not blamed', async (status, body, words) => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const reply = client.createProduct(PRODUCT);
    const head = { 'content-type': 'application/json', server: 'kong/3.4' };
    (await service.next('POST /get_auth_token')).respondRaw(status, JSON.stringify(body), head);
    const result = await reply;
    expect(meaning(result)).toEqual({ came: 'misconfigured', status, noToken: true });
    const summary = `Something before the service answered (kong, ${status})`;
    expect(result).toMatchObject({ error: { serviceMessage: words, problem: { summary } } });
  });

  it('answers with a page that tells of a failure: that may be over in a moment', async () => {
    const { service, client } = await held.start({ service: { holdTokenRoute: true } });
    const reply = client.createProduct(PRODUCT);
    (await service.next('POST /get_auth_token')).respondRaw(502, '<title>Bad Gateway</title>');
    expect(await reply).toMatchObject({ error: { came: 'not-sent', isTokenDue: true } });
  });

  it.each([{}, { access_token: '' }, { access_token: 'with\nline' }, { access_token: 7 }])(
    'gives no token: %o',
    async (token) => {
      const { client } = await held.start({ service: { token: () => token } });
      expect(meaning(await client.createProduct(PRODUCT))).toEqual({
        came: 'not-sent',
        noToken: true,
        status: 200,
      });
    },
  );
});

it('an address in the answer that gives the token is no secret: links of the service begin with it', async () => {
  const issuer = 'https://visuals.example.com/api';
  const token = () => ({ access_token: 'token-1', expires_at: 3600, issuer, session: `s-${'x'.repeat(20)}` });
  const { client } = await held.start({ service: { token } });
  expect((await client.getAuthToken()).ok).toBe(true);
  expect(client.redact(`${issuer}/a.png of s-${'x'.repeat(20)}`)).toBe(`${issuer}/a.png of [redacted]`);
});
