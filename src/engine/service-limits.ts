/**
 * How much an account of a service may be asked, and what is known of it. It outlives a run: the runs of one command, one
 * after the other, begin with what those before them have learned.
 */
import type { NodeKind } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { Clock } from '../util/clock.ts';
import { createBreaker } from './create-breaker.ts';
import { createLimits, type LimitSettings } from './limits.ts';
import { createMediaClaims } from './media-claims.ts';
import { createRateBucket } from './rate-bucket.ts';
import { createRetryBudget } from './retry-budget.ts';
import { createTurns } from './turns.ts';

/** After a suspend, or if an earlier run left hundreds of posts pending, polls would otherwise all be sent at once. */
const REPEATED_POLLS_PER_SECOND = 100;

/** The service wants no requests of this kind for longer than a run waits. */
export interface Quota {
  readonly kind: NodeKind;
  readonly problem: Problem;
  /** Monotonic milliseconds. */
  readonly until: number;
}

interface ServiceLimitsOptions {
  readonly limits: LimitSettings;
  readonly clock: Clock;
  readonly random: () => number;
}

export function createServiceLimits({ limits: settings, clock, random }: ServiceLimitsOptions) {
  const rate = createRateBucket(settings.requestsPerSecond, clock);
  const limits = createLimits({ settings, clock, rate });
  const claims = createMediaClaims(settings.mediaInFlight);
  const budget = createRetryBudget(clock);
  const quotas: Quota[] = [];
  let restsSince = clock.monotonic();
  return {
    limits,
    turns: createTurns({ rate, clock }),
    claims,
    budget,
    quotas,
    breaker: createBreaker(clock, random),
    repeatedPolls: createRateBucket(REPEATED_POLLS_PER_SECOND, clock),
    /** Another run begins, with the limits of its manifest. */
    begin(next: LimitSettings): void {
      const now = clock.monotonic();
      limits.configure(next);
      claims.begin(next.mediaInFlight);
      quotas.splice(0, quotas.length, ...quotas.filter(({ until }) => until > now));
      // Between two runs nothing was asked, so that time is no part of an outage.
      budget.suspended(now - restsSince);
    },
    /** A run has ended. */
    rest(): void {
      restsSince = clock.monotonic();
    },
  };
}

export type ServiceLimits = ReturnType<typeof createServiceLimits>;
