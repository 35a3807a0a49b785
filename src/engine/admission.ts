import type { Address } from '../model/address.ts';
import { isCreate, kindHas, KINDS } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Outcome } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import { createBreaker } from './create-breaker.ts';
import { createLimits, type LimitSettings, type LoadSignal } from './limits.ts';
import { createMediaClaims } from './media-claims.ts';
import { createRateBucket } from './rate-bucket.ts';
import { afterWait } from './retry-rules.ts';
import { createRetryBudget } from './retry-budget.ts';

/**
 * Polls of a run that are not the first of their post, however many are due: after a pause of the machine, or where
 * hundreds were left pending by an earlier run, they would all leave at once.
 */
const REPEATED_POLLS_PER_SECOND = 100;

/** Everything that decides whether a request may leave now, and what its outcome means for those after it. */
export interface Admission {
  /** Earliest time (monotonic milliseconds) at which this node may start; Infinity while others have to end first. */
  opensAt(node: PlannedNode): number;
  started(node: PlannedNode): void;
  /** Takes in what an attempt gave, and says what that comes to for its node. */
  judge(node: PlannedNode, attempt: number, outcome: Outcome): Outcome;
  /** An attempt ended without telling anything about the service. */
  abandoned(node: PlannedNode): void;
  /** No create may start any more in this run. */
  readonly createsEnded: boolean;
  /** Nothing came back since the retries were used up, or nothing was ever reached. */
  readonly unavailable: boolean;
  /** When the service counts as unavailable, should nothing succeed until then. */
  givesUpAt(): number;
  /** So many milliseconds have passed in which nothing could come back. */
  stoodStill(ms: number): void;
  /** The end of a request's attempt is recorded: its claim passes to the media that it made, if any. */
  requested(node: PlannedNode, media: readonly Address[]): void;
  /** A medium is being generated, or is not any more. */
  generating(media: Address): void;
  settled(media: Address): void;
}

export function createAdmission(options: {
  limits: LimitSettings;
  clock: Clock;
  random: () => number;
}): Admission {
  const { clock, random } = options;
  const limits = createLimits({ settings: options.limits, clock });
  const claims = createMediaClaims(options.limits.mediaInFlight);
  const breaker = createBreaker(clock, random);
  const budget = createRetryBudget(clock);
  const repeatedPolls = createRateBucket(REPEATED_POLLS_PER_SECOND, clock);
  const polled = new Set<Address>();
  const startedAt = new Map<Address, number>();
  let reached = false;
  let unreached = false;

  function requestEnded({ address, kind }: PlannedNode, signal: LoadSignal): void {
    const now = clock.monotonic();
    limits.ended(kind, signal, now - (startedAt.get(address) ?? now));
    startedAt.delete(address);
  }

  function isRepeatedPoll({ kind, action, address }: PlannedNode): boolean {
    return KINDS[kind].limit === 'polls' && (action === 'resume' || polled.has(address));
  }

  return {
    opensAt(node) {
      if (claimsPosts(node) && !claims.fits(node.payload.numberOfPosts)) {
        return Number.POSITIVE_INFINITY;
      }
      const breakerAt = isCreate(node) ? breaker.opensAt() : Number.NEGATIVE_INFINITY;
      const pollAt = isRepeatedPoll(node) ? repeatedPolls.opensAt() : Number.NEGATIVE_INFINITY;
      return Math.max(limits.opensAt(node.kind), breakerAt, pollAt, budget.opensAt());
    },
    started(node) {
      limits.started(node.kind);
      startedAt.set(node.address, clock.monotonic());
      budget.started();
      if (isRepeatedPoll(node)) repeatedPolls.take();
      if (KINDS[node.kind].limit === 'polls') polled.add(node.address);
      if (isCreate(node)) breaker.started();
      if (claimsPosts(node)) claims.reserve(node.payload.numberOfPosts);
    },
    judge(node, attempt, outcome) {
      const signal = loadSignal(node, outcome);
      requestEnded(node, signal);
      if (isCreate(node)) breaker.ended(createEnd(outcome));
      if (signal === 'succeeded') budget.succeeded();
      if (signal === 'succeeded' || isAnswered(outcome) || isDenied(outcome)) reached = true;
      else if (outcome.type === 'wait' && outcome.why === 'retry' && outcome.unsent) unreached = true;
      if (isDenied(outcome)) budget.denied();
      // A refusal is no outage, and trying again adds to none.
      const isPaid = isAnswered(outcome) || (cameToNothing(outcome) && budget.failed());
      if (outcome.type !== 'wait') return outcome;
      const now = clock.monotonic();
      // Also where this node is put off: the rest of its kind must not ask again in the meantime.
      if (outcome.why === 'throttled') limits.hold(node.kind, outcome.until);
      return afterWait({ node, attempt, wait: outcome, now, random, isPaid });
    },
    abandoned(node) {
      requestEnded(node, 'neither');
      if (isCreate(node)) breaker.ended('not-sent');
    },
    get unavailable() {
      return budget.isEmpty || (unreached && !reached);
    },
    get createsEnded() {
      return breaker.over;
    },
    givesUpAt: () => budget.givesUpAt(),
    stoodStill: (ms) => budget.stoodStill(ms),
    requested(node, media) {
      if (!claimsPosts(node)) return;
      claims.unreserve(node.payload.numberOfPosts);
      for (const address of media) claims.hold(address);
    },
    generating: (media) => claims.hold(media),
    settled: (media) => claims.release(media),
  };
}

function claimsPosts(node: PlannedNode) {
  return kindHas(node, 'limit', 'media in flight');
}

function isAnswered(outcome: Outcome): boolean {
  return outcome.type === 'wait' && outcome.answered === true;
}

function isDenied(outcome: Outcome): boolean {
  return outcome.type === 'wait' && outcome.denied === true;
}

function cameToNothing(outcome: Outcome): boolean {
  return outcome.type === 'unknown' || (outcome.type === 'wait' && outcome.why === 'retry');
}

/** A poll that found its medium pending, failed or gone was answered all the same; 404 for what was there is no answer. */
function loadSignal(node: PlannedNode, outcome: Outcome): LoadSignal {
  switch (outcome.type) {
    case 'done':
      return 'succeeded';
    case 'wait':
      if (outcome.why === 'throttled') return 'throttled';
      if (outcome.overloaded) return 'overloaded';
      return outcome.why === 'poll' && !outcome.unsent && !outcome.denied ? 'succeeded' : 'neither';
    case 'unknown':
      return outcome.overloaded ? 'overloaded' : 'neither';
    case 'failed':
    case 'lost':
      return KINDS[node.kind].limit === 'polls' ? 'succeeded' : 'neither';
    case 'rejected':
    case 'put-off':
    case 'unauthorized':
    case 'unchanged':
      return 'neither';
  }
}

function createEnd(outcome: Outcome): 'succeeded' | 'ambiguous' | 'not-sent' | 'refused' {
  switch (outcome.type) {
    case 'done':
      return 'succeeded';
    case 'unknown':
      return 'ambiguous';
    case 'wait':
    case 'put-off':
    case 'unauthorized':
      return 'not-sent';
    case 'rejected':
    case 'failed':
    case 'lost':
    case 'unchanged':
      return 'refused';
  }
}
