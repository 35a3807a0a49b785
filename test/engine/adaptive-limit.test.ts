import { expect, it } from 'vitest';
import { createAdaptiveLimit } from '../../src/engine/adaptive-limit.ts';
import { createManualClock } from '../support/manual-clock.ts';

it('starts at the cap and comes down by 0.7, at most once a second', async () => {
  const clock = createManualClock();
  const limit = createAdaptiveLimit(10, clock);
  expect(limit.limit).toBe(10);
  limit.overloaded();
  limit.overloaded();
  expect(limit.limit).toBe(7);
  await clock.advance(1000);
  limit.overloaded();
  expect(limit.limit).toBe(4);
});

it('never comes down below 1', async () => {
  const clock = createManualClock();
  const limit = createAdaptiveLimit(2, clock);
  for (let i = 0; i < 5; i += 1) {
    limit.overloaded();
    await clock.advance(1000);
  }
  expect(limit.limit).toBe(1);
});

it('recovers by 1 after as many successes as the limit, and not above the cap', () => {
  const limit = createAdaptiveLimit(4, createManualClock());
  limit.overloaded();
  expect(limit.limit).toBe(2);
  limit.succeeded(2);
  expect(limit.limit).toBe(2);
  limit.succeeded(2);
  expect(limit.limit).toBe(3);
  for (let i = 0; i < 20; i += 1) limit.succeeded(4);
  expect(limit.limit).toBe(4);
});

it('does not recover while less than half of it is used', () => {
  const limit = createAdaptiveLimit(10, createManualClock());
  limit.overloaded();
  for (let i = 0; i < 20; i += 1) limit.succeeded(3);
  expect(limit.limit).toBe(7);
});
