import type { Clock } from '../util/clock.ts';

/** A token bucket, kept as the time at which it will be full again. */
export interface RateBucket {
  /** Earliest time (monotonic milliseconds) at which the next request may leave. */
  opensAt(): number;
  /** A request leaves. */
  take(): void;
}

/** Holds a tenth of a second's tokens: a service that counts by the second never sees two seconds' worth in one. */
export function createRateBucket(perSecond: number | undefined, clock: Clock): RateBucket {
  if (perSecond === undefined) return { opensAt: () => Number.NEGATIVE_INFINITY, take: () => {} };
  const intervalMs = 1000 / perSecond;
  const burstMs = Math.max(0, 100 - intervalMs);
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    opensAt: () => fullAt - burstMs,
    take() {
      fullAt = Math.max(fullAt, clock.monotonic()) + intervalMs;
    },
  };
}
