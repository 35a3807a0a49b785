import { expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';
import { CANARY_KEY } from './apply.ts';
import { makeRecords } from './make-records.ts';
import { openService } from './open-service.ts';

const AT_ONCE = 64;
const ROUNDS = 5;
const TOKEN = 'POST /get_auth_token';

it(`a 401 for ${AT_ONCE} requests at once: one new token for all of them`, async () => {
  let aheadMs = 0;
  const emulator = await openService({}, { ...realClock, now: () => Date.now() + aheadMs });
  const client = createClient({ baseUrl: emulator.url, apiKey: CANARY_KEY, clock: realClock });
  const { product } = await makeRecords(client);
  const before = emulator.calls.length;
  // For the service the token has expired, and the client does not know.
  aheadMs = 2 * 3_600_000;
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => client.getProduct(product)));
  client.close();
  expect(answers.filter(({ ok }) => ok)).toHaveLength(AT_ONCE);
  const calls = emulator.calls.slice(before).map(({ route, status }) => `${route} ${status}`);
  const count = (call: string) => calls.filter((entry) => entry === call).length;
  expect(count(`${TOKEN} 200`)).toBe(1);
  expect(count('GET /products/{id}/ 401')).toBe(AT_ONCE);
  expect(count('GET /products/{id}/ 200')).toBe(AT_ONCE);
});

it('a token that lives a second: all works, with at most two new ones a second', async () => {
  const clock = createHurriedClock();
  const emulator = await openService({ tokenLifeSeconds: 1, expiresAt: 'lifetime' }, clock);
  const client = createClient({ baseUrl: emulator.url, apiKey: CANARY_KEY, clock, deadlines: realClock });
  const { product } = await makeRecords(client);
  const before = emulator.calls.length;
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => client.getProduct(product)));
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    await new Promise<void>((resolve) => void clock.after(1_000, resolve));
  }
  client.close();
  const tokens = emulator.calls.slice(before).filter(({ route }) => route === TOKEN).length;
  expect(tokens).toBeGreaterThanOrEqual(ROUNDS - 1);
  expect(tokens).toBeLessThanOrEqual(2 * ROUNDS);
});
