import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/util/clock.ts';
import { CREATED, heldFixture, meaning } from './fixtures.ts';

const held = heldFixture();
const ROUTE = 'GET /products/p-1/';
const TOKEN_ROUTE = 'POST /get_auth_token';
const HOUR_MS = 3_600_000;
const TEN_YEARS_MS = 10 * 365 * 24 * HOUR_MS;

/**
 * A client whose clocks the test moves, and a service whose token says `expiresAt` of its own time; `get` sends one
 * request and gives the number of tokens fetched so far.
 */
async function start(expiresAt: (serviceNowMs: number) => unknown, ourClockIsAheadMs = 0) {
  let monotonic = 0;
  let ahead = ourClockIsAheadMs;
  const serviceNow = () => Math.floor((Date.now() + monotonic) / 1000) * 1000;
  const clock = {
    ...realClock,
    now: () => Date.now() + monotonic + ahead,
    monotonic: () => monotonic,
  };
  const { service, client } = await held.start({ client: { clock }, service: { holdTokenRoute: true } });
  let issued = 0;
  void (async () => {
    for (;;) {
      const call = await service.next(TOKEN_ROUTE);
      const expires_at = expiresAt(serviceNow());
      const date = new Date(serviceNow()).toUTCString();
      const token = {
        access_token: `token-${++issued}`,
        ...(expires_at === undefined ? {} : { expires_at }),
      };
      call.respond(200, { status: 'success', data: token }, { date });
    }
  })();
  return {
    get: async () => {
      const reply = client.getProduct('p-1');
      (await service.next(ROUTE)).respond(200, CREATED);
      expect(meaning(await reply)).toBe('ok');
      return issued;
    },
    service,
    client,
    pass: (ms: number) => void (monotonic += ms),
    setOurClock: (ms: number) => void (ahead += ms),
  };
}

const inAnHour: Record<string, (now: number) => unknown> = {
  'epoch seconds': (now) => (now + HOUR_MS) / 1000,
  'epoch milliseconds': (now) => now + HOUR_MS,
  'a lifetime in seconds': () => 3600,
  'epoch seconds as text': (now) => String((now + HOUR_MS) / 1000),
};

describe.each(Object.entries(inAnHour))('expires_at in an hour as %s', (_, expiresAt) => {
  it.each([0, -2 * HOUR_MS, TEN_YEARS_MS])('our clock is ahead by %i ms', async (ahead) => {
    const { get, pass } = await start(expiresAt, ahead);
    expect(await get()).toBe(1);
    pass(0.75 * HOUR_MS);
    expect(await get()).toBe(1);
    pass(0.06 * HOUR_MS);
    expect(await get()).toBe(2);
  });

  it.each([-2 * HOUR_MS, TEN_YEARS_MS])('our clock jumps by %i ms meanwhile', async (jump) => {
    const { get, pass, setOurClock } = await start(expiresAt);
    expect(await get()).toBe(1);
    setOurClock(jump);
    expect(await get()).toBe(1);
    pass(0.81 * HOUR_MS);
    expect(await get()).toBe(2);
  });
});

it.each([0, -1, -1e12, undefined, null, '', 'soon', {}])(
  'expires_at %j: the token is used until it is refused',
  async (value) => {
    const { get, pass } = await start(() => value);
    await get();
    pass(TEN_YEARS_MS);
    expect(await get()).toBe(1);
  },
);

describe('a life of one second', () => {
  it('is one fetch at a time, and every request is sent with a token that lives', async () => {
    const { service, client, get, pass } = await start(() => 1);
    for (let n = 1; n <= 5; n++) {
      expect(await get()).toBe(n);
      pass(900);
    }
    const replies = Array.from({ length: 64 }, () => client.getProduct('p-1'));
    for (let n = 0; n < 64; n++) {
      const call = await service.next(ROUTE);
      expect(call.headers.authorization).toBe('Bearer token-6');
      call.respond(200, CREATED);
    }
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
  });

  it('that ends on the way is no sign of a wrong key, however often', async () => {
    const { service, client, pass } = await start(() => 1);
    for (let n = 0; n < 5; n++) {
      const reply = client.getProduct('p-1');
      const late = await service.next(ROUTE);
      pass(1000);
      late.respond(401, {});
      (await service.next(ROUTE)).respond(200, CREATED);
      expect(meaning(await reply)).toBe('ok');
      pass(1000);
    }
  });
});
