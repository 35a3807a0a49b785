import type { Clock } from '../util/clock.ts';

const FULL = 100;
const FAILURE_COSTS = 5;
const PROBE_EVERY_MS = 5000;
const GIVEN_UP_AFTER_MS = 60_000;
/** Fewer failures than this may be chance. */
const FAILURES_OF_AN_OUTAGE = 3;

/**
 * Keeps retries from making an outage worse. Once the budget is used up, only one request in five seconds is sent, as a
 * probe, until one succeeds. After a minute of failures only, the service counts as unavailable, also where the budget
 * lasts: with few requests at once, or if each fails only after a long silence, using it up would take very long.
 */
export function createRetryBudget(clock: Clock) {
  let tokens = FULL;
  let isEmpty = false;
  let nextProbeAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let failingSince = 0;

  function cameToNothing(now: number): void {
    if (failures === 0) failingSince = now;
    failures += 1;
  }

  return {
    /** Nothing has succeeded since the last retry was paid for. */
    get isEmpty(): boolean {
      return isEmpty;
    },
    /** A request failed; returns whether the budget pays for its retry. */
    failed(): boolean {
      const now = clock.monotonic();
      cameToNothing(now);
      const paid = tokens >= FAILURE_COSTS;
      if (paid) tokens -= FAILURE_COSTS;
      if (tokens < FAILURE_COSTS && !isEmpty) {
        isEmpty = true;
        nextProbeAt = now + PROBE_EVERY_MS;
      }
      return paid;
    },
    /** The service said 404 for what it had. This takes no retries from others, and is no success either. */
    denied: (): void => cameToNothing(clock.monotonic()),
    succeeded(): void {
      tokens = Math.min(FULL, tokens + 1);
      isEmpty = false;
      failures = 0;
    },
    opensAt: (): number => (isEmpty ? nextProbeAt : Number.NEGATIVE_INFINITY),
    started(): void {
      nextProbeAt = clock.monotonic() + PROBE_EVERY_MS;
    },
    /** When the run has to end if nothing succeeds until then; Infinity while there is no outage. */
    givesUpAt: (): number =>
      failures < FAILURES_OF_AN_OUTAGE ? Number.POSITIVE_INFINITY : failingSince + GIVEN_UP_AFTER_MS,
    suspended(ms: number): void {
      failingSince += ms;
    },
  };
}
