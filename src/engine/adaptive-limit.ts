import type { Clock } from '../util/clock.ts';

const LOWERED_TO = 0.7;
const LOWERED_AT_MOST_EVERY_MS = 1000;

/**
 * How many requests of one kind may be in flight. Starts at the cap (a slow start costs time and protects nobody),
 * comes down when the service is overloaded, and recovers step by step.
 */
export interface AdaptiveLimit {
  readonly limit: number;
  /** A request succeeded while `used` were in flight, itself included. */
  succeeded(used: number): void;
  overloaded(): void;
}

export function createAdaptiveLimit(cap: number, clock: Clock): AdaptiveLimit {
  let limit = cap;
  let successes = 0;
  let loweredAt = Number.NEGATIVE_INFINITY;
  return {
    get limit() {
      return limit;
    },
    succeeded(used) {
      // Successes below half of the limit say nothing about whether more would be bearable.
      if (limit >= cap || used * 2 < limit) return;
      successes += 1;
      if (successes < limit) return;
      limit += 1;
      successes = 0;
    },
    overloaded() {
      successes = 0;
      const now = clock.monotonic();
      if (now - loweredAt < LOWERED_AT_MOST_EVERY_MS) return;
      loweredAt = now;
      limit = Math.max(1, Math.floor(limit * LOWERED_TO));
    },
  };
}
