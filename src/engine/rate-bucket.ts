import type { Clock } from '../util/clock.ts';

/** A token bucket of a tenth of a second: a service that counts by the second never sees two seconds' worth in one. */
export function createRateBucket(perSecond: number | undefined, clock: Clock) {
  const intervalMs = perSecond === undefined ? 0 : 1000 / perSecond;
  const burstMs = Math.max(0, 100 - intervalMs);
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    /** Earliest time (monotonic milliseconds) at which the next request may leave. */
    opensAt: (): number => fullAt - burstMs,
    take(): void {
      if (perSecond !== undefined) fullAt = Math.max(fullAt, clock.monotonic()) + intervalMs;
    },
  };
}
