import type { Clock } from '../../src/util/clock.ts';

/** How a service protects itself: who arrives is served, or is told 429. */
export interface SimulatedLimit {
  /** Undefined: served, and `ended` will be called; else the seconds after which it may come again. */
  refuses(): { readonly retryAfter: number } | undefined;
  ended(): void;
}

/** So many in each second of the clock. */
export function windowLimit(perSecond: number, clock: Clock): SimulatedLimit {
  let second = -1;
  let served = 0;
  return {
    refuses() {
      const now = Math.floor(clock.monotonic() / 1000);
      if (now !== second) served = 0;
      second = now;
      if (served >= perSecond) return { retryAfter: 1 };
      served += 1;
      return undefined;
    },
    ended: () => {},
  };
}

/** A bucket of `burst` tokens that fills at `perSecond`. */
export function bucketLimit(options: { perSecond: number; burst: number; clock: Clock }): SimulatedLimit {
  const { perSecond, burst, clock } = options;
  let tokens = burst;
  let filledAt = 0;
  return {
    refuses() {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
      filledAt = now;
      if (tokens < 1) return { retryAfter: Math.ceil((1 - tokens) / perSecond) };
      tokens -= 1;
      return undefined;
    },
    ended: () => {},
  };
}

/** So many at the same time. */
export function concurrencyLimit(most: number): SimulatedLimit {
  let inFlight = 0;
  return {
    refuses() {
      if (inFlight >= most) return { retryAfter: 1 };
      inFlight += 1;
      return undefined;
    },
    ended() {
      inFlight -= 1;
    },
  };
}
