import { expect, it } from 'vitest';
import { createServedRate } from '../../src/engine/served-rate.ts';
import { createManualClock } from '../support/manual-clock.ts';

it('is the best of the last three seconds, the one under way included', async () => {
  const clock = createManualClock();
  const rate = createServedRate(clock);
  const seen: number[] = [];
  for (const count of [5, 9, 2, 0, 3]) {
    for (let i = 0; i < count; i += 1) rate.count();
    seen.push(rate.perSecond());
    await clock.advance(1000);
  }
  expect(seen).toEqual([Infinity, 9, 9, 9, 3]);
});

it('is none after a long silence, and before the first', async () => {
  const clock = createManualClock();
  const rate = createServedRate(clock);
  expect(rate.perSecond()).toBe(0);
  rate.count();
  await clock.advance(60_000);
  expect(rate.perSecond()).toBe(0);
});
