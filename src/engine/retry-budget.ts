import type { Clock } from '../util/clock.ts';

const FULL = 100;
const RETRY_COSTS = 5;
const PROBE_EVERY_MS = 5000;
const GIVEN_UP_AFTER_MS = 60_000;

/**
 * Keeps retries from adding to an outage. Once the bucket is empty only one request in five seconds leaves, as a
 * probe, until one succeeds; without a success for a minute the service counts as unavailable.
 */
export interface RetryBudget {
  /** Pays for one retry, or refuses it. */
  retry(): boolean;
  succeeded(): void;
  /** Earliest time (monotonic milliseconds) at which a request may leave. */
  opensAt(): number;
  /** A request leaves. */
  started(): void;
  /** When the run has to end, should nothing succeed until then; Infinity while the bucket is not empty. */
  givesUpAt(): number;
}

export function createRetryBudget(clock: Clock): RetryBudget {
  let tokens = FULL;
  let emptySince: number | undefined;
  let nextProbeAt = Number.NEGATIVE_INFINITY;
  return {
    retry() {
      const paid = tokens >= RETRY_COSTS;
      if (paid) tokens -= RETRY_COSTS;
      if (tokens < RETRY_COSTS && emptySince === undefined) {
        emptySince = clock.monotonic();
        nextProbeAt = emptySince + PROBE_EVERY_MS;
      }
      return paid;
    },
    succeeded() {
      tokens = Math.min(FULL, tokens + 1);
      emptySince = undefined;
    },
    opensAt: () => (emptySince === undefined ? Number.NEGATIVE_INFINITY : nextProbeAt),
    started() {
      nextProbeAt = clock.monotonic() + PROBE_EVERY_MS;
    },
    givesUpAt: () => (emptySince === undefined ? Number.POSITIVE_INFINITY : emptySince + GIVEN_UP_AFTER_MS),
  };
}
