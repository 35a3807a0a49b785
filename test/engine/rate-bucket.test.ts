import { expect, it } from 'vitest';
import { createRateBucket } from '../../src/engine/rate-bucket.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** How many requests leave in `ms`, when as many as allowed do. */
async function sentIn(ms: number, perSecond: number): Promise<number> {
  const clock = createManualClock();
  const bucket = createRateBucket(perSecond, clock);
  let sent = 0;
  for (let at = 0; at < ms; at += 1) {
    while (bucket.opensAt() <= clock.monotonic()) {
      bucket.take();
      sent += 1;
    }
    await clock.advance(1);
  }
  return sent;
}

it('lets a slow rate through one by one', async () => {
  expect(await sentIn(999, 2)).toBe(2);
});

it('lets a fast rate through with a burst of at most a tenth of a second', async () => {
  expect(await sentIn(1000, 50)).toBe(54);
});

it('is always open without a rate', () => {
  const bucket = createRateBucket(undefined, createManualClock());
  bucket.take();
  expect(bucket.opensAt()).toBe(-Infinity);
});
