import { afterEach, describe, expect, it } from 'vitest';
import type { TokenData } from '../../src/service/wire.ts';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import type { Clock } from '../../src/util/clock.ts';
import { startRig, type Answer, type Rig } from './harness.ts';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

let rig: Rig | undefined;
afterEach(() => rig?.close());

async function start(behaviour: Partial<Behaviour> = {}, clock?: Clock): Promise<Rig> {
  rig = await startRig({ behaviour, ...(clock !== undefined && { clock }) });
  return rig;
}

async function login(url: string, body: unknown): Promise<Answer<TokenData>> {
  const answer = await fetch(`${url}/get_auth_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer<TokenData>['body'] };
}

function movableClock(): Clock & { time: number } {
  return { time: NOON, now: () => clock.time, monotonic: () => clock.time, after: () => () => {} };
}
let clock = movableClock();

describe('the token endpoint', () => {
  it('gives a bearer token for any key that is not empty', async () => {
    const { url } = await start();
    const answer = await login(url, { api_key: 'k' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'success', data: { token_type: 'Bearer' } });
    expect(answer.body.data.access_token.split('.')).toHaveLength(3);
  });

  it('answers in the envelope of failure without a key, and to a wrong one', async () => {
    const { url } = await start({ apiKey: 'right' });
    const missing = await login(url, {});
    expect(missing).toEqual({
      status: 400,
      body: { message: 'api_key: this field is required', status: 'failed' },
    });
    const wrong = await login(url, { api_key: 'wrong' });
    expect(wrong).toEqual({ status: 401, body: { message: 'Invalid API key.', status: 'failed' } });
    expect((await login(url, { api_key: 'right' })).status).toBe(200);
  });

  it.each([
    ['epoch-seconds', NOON / 1000 + 60],
    ['epoch-milliseconds', NOON + 60_000],
    ['lifetime', 60],
  ] as const)('gives expires_at as %s', async (expiresAt, expected) => {
    clock = movableClock();
    const { url } = await start({ expiresAt, tokenLifeSeconds: 60 }, clock);
    expect((await login(url, { api_key: 'k' })).body.data.expires_at).toBe(expected);
  });
});

describe('protected endpoints', () => {
  const ROUTES = [
    ['POST', '/upload-media/'],
    ['POST', '/products/'],
    ['GET', `/products/${ID}/`],
    ['PUT', `/products/${ID}/`],
    ['PATCH', `/products/${ID}/`],
    ['DELETE', `/products/${ID}/`],
    ['POST', '/concepts/'],
    ['PUT', `/concepts/${ID}/`],
    ['DELETE', `/concepts/${ID}/`],
    ['POST', '/media-config/'],
    ['GET', `/media-config/${ID}/`],
    ['DELETE', `/media-config/${ID}/`],
    ['GET', `/media/${ID}/${ID}/`],
  ] as const;

  it.each(ROUTES)('%s %s needs a token', async (method, route) => {
    const { url } = await start();
    const none = await fetch(url + route, { method });
    expect(none.status).toBe(401);
    expect(await none.json()).toEqual({
      message: 'Authentication credentials were not provided.',
      status: 'failed',
    });
    const forged = await fetch(url + route, { method, headers: { authorization: 'Bearer a.b.c' } });
    expect(forged.status).toBe(401);
  });

  it('refuse a token after its life', async () => {
    clock = movableClock();
    const { call } = await start({ tokenLifeSeconds: 60 }, clock);
    expect((await call('GET', `/products/${ID}/`)).status).toBe(404);
    clock.time += 60_000;
    const late = await call('GET', `/products/${ID}/`);
    expect(late).toEqual({
      status: 401,
      body: { message: 'The token is invalid or has expired.', status: 'failed' },
    });
  });

  it('do not exist outside the interface', async () => {
    const { url, token } = await start();
    const headers = { authorization: `Bearer ${token}` };
    for (const route of [
      '/products/',
      `/concepts/${ID}/`,
      '/files/../ledger.jsonl',
      '/files/%2e%2e%2fledger.jsonl',
    ]) {
      const answer = await fetch(url + route, { headers });
      expect([route, answer.status]).toEqual([route, 404]);
      expect(await answer.json()).toMatchObject({ status: 'failed' });
    }
  });
});
