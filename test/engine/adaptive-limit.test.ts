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
  limit.overloaded();
  // Twenty in a second, each a tenth of one: two at once.
  expect(slots()).toBe(2);
});

it('keeps a pause between starts once it came down, and one slot whatever happens', async () => {
  const { clock, limit, slots, succeed } = setUp(2);
  succeed(1);
  for (let i = 0; i < 30; i += 1) {
    limit.overloaded();
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
  limit.overloaded();
  succeed(7);
  expect(slots()).toBe(8);
  succeed(8);
  expect(slots()).toBe(9);
  succeed(1000);
  expect(slots()).toBe(9);
});

it('goes beyond that after ten seconds, faster and faster, and not above the cap', async () => {
  const { clock, limit, slots, succeed } = setUp(40);
  limit.overloaded();
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
