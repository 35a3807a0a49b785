import { expect, it } from 'vitest';
import { createAdaptiveLimit } from '../../src/engine/adaptive-limit.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A limit whose requests take 100 ms, and how many it lets be in flight at this moment. */
function setUp(cap: number) {
  const clock = createManualClock();
  const limit = createAdaptiveLimit(cap, clock);
  const slots = () => {
    let inFlight = 0;
    while (limit.opensAt(inFlight) < Infinity) inFlight += 1;
    return inFlight;
  };
  /** So many successes, as many at once as may be. */
  const succeed = (times: number) => {
    for (let i = 0; i < times; i += 1) limit.succeeded(slots(), 100);
  };
  return { clock, limit, slots, succeed };
}

it('starts at the cap, without pauses', () => {
  const { limit, slots } = setUp(10);
  expect(slots()).toBe(10);
  limit.started();
  limit.succeeded(1, 100);
  expect(limit.opensAt(0)).toBe(-Infinity);
});

it('comes down to 0.7, at most once a second', async () => {
  const { clock, limit, slots } = setUp(10);
  limit.overloaded();
  limit.overloaded();
  expect(slots()).toBe(7);
  await clock.advance(1000);
  limit.overloaded();
  expect(slots()).toBe(5);
});

it('comes down to what was served, where that is less', async () => {
  const { clock, limit, slots, succeed } = setUp(20);
  succeed(20);
  await clock.advance(1000);
  limit.throttled();
  // Twenty in a second, each a tenth of one: two at once.
  expect(slots()).toBe(2);
});

it('keeps a pause between starts once it came down, and one slot whatever happens', async () => {
  const { clock, limit, slots, succeed } = setUp(2);
  for (let i = 0; i < 30; i += 1) {
    succeed(1);
    limit.throttled();
    await clock.advance(1000);
  }
  expect(slots()).toBe(1);
  limit.started();
  limit.started();
  expect(limit.opensAt(0) - clock.monotonic()).toBe(10_000);
  expect(limit.opensAt(1)).toBe(Infinity);
});

it('spreads starts over the time that requests take', async () => {
  const { clock, limit, succeed } = setUp(10);
  succeed(10);
  limit.overloaded();
  limit.started();
  limit.started();
  // Seven in 100 ms. One that comes late makes room for two at once, but not for three.
  expect(limit.opensAt(0)).toBeCloseTo(100 / 7);
  await clock.advance(1000);
  limit.started();
  limit.started();
  expect(limit.opensAt(0)).toBeCloseTo(1000 + 100 / 7);
});

it('recovers by about 1 after as many successes as the limit, to nine tenths of what was too much', () => {
  const { limit, slots, succeed } = setUp(10);
  succeed(1);
  limit.throttled();
  succeed(7);
  expect(slots()).toBe(8);
  succeed(8);
  expect(slots()).toBe(9);
  succeed(1000);
  expect(slots()).toBe(9);
});

it('goes beyond that after ten seconds, faster and faster, and not above the cap', async () => {
  const { clock, limit, slots, succeed } = setUp(40);
  succeed(1);
  limit.throttled();
  succeed(1000);
  const seen: number[] = [];
  for (let second = 1; second <= 13; second += 1) {
    await clock.advance(1000);
    succeed(1);
    seen.push(slots());
  }
  expect(seen).toEqual([36, 36, 36, 36, 36, 36, 36, 36, 36, 40, 40, 40, 40]);
});

it('does not recover while less than half of it is used', () => {
  const { limit, slots } = setUp(10);
  limit.overloaded();
  for (let i = 0; i < 100; i += 1) limit.succeeded(3, 100);
  expect(slots()).toBe(7);
});

it('takes no outage for the rate that the service bears: one at a time, and soon everything again', async () => {
  const { clock, limit, slots, succeed } = setUp(8);
  succeed(80);
  for (let second = 0; second < 20; second += 1) {
    await clock.advance(1000);
    limit.overloaded();
  }
  expect(slots()).toBe(1);
  limit.started();
  limit.started();
  expect(limit.opensAt(0) - clock.monotonic()).toBe(100);
  let ms = 0;
  for (; slots() < 8; ms += 100) {
    await clock.advance(100);
    succeed(slots());
  }
  expect(ms).toBeLessThanOrEqual(5000);
});

it('takes a 429 while nothing at all is served for an outage too', async () => {
  const { clock, limit, slots, succeed } = setUp(8);
  succeed(80);
  await clock.advance(4000);
  for (let second = 0; second < 20; second += 1) {
    limit.throttled();
    await clock.advance(1000);
  }
  expect(slots()).toBe(1);
  succeed(100);
  expect(slots()).toBe(8);
});

it('below two grows after fewer successes, as they come more slowly', async () => {
  const { clock, limit, succeed } = setUp(1);
  const gap = () => {
    limit.started();
    limit.started();
    return limit.opensAt(0) - clock.monotonic();
  };
  succeed(1);
  await clock.advance(1000);
  // One in a second, each a tenth of one.
  limit.throttled();
  expect(gap()).toBeCloseTo(1000);
  for (let i = 0; i < 13; i += 1) {
    await clock.advance(1000);
    limit.succeeded(1, 100);
  }
  expect(gap()).toBeLessThan(700);
});
