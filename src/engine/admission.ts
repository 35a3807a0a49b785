import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Clock } from '../util/clock.ts';
import { type CreateBreaker, createBreaker } from './create-breaker.ts';
import { isCreate, kindHas, KINDS } from '../model/kinds.ts';
import { heldMs } from './judge.ts';
import { createLimits, type RequestLimits, type LimitSettings, type LoadSignal } from './limits.ts';
import { createMediaClaims, type MediaClaims } from './media-claims.ts';
import type { Row } from './outcome-table.ts';
import { createRateBucket, type RateBucket } from './rate-bucket.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';

/**
 * For polls that are not the first of their post. After a suspend, or if an earlier run left hundreds of posts pending,
 * they would otherwise all be sent at once.
 */
const REPEATED_POLLS_PER_SECOND = 100;

/** Decides whether a request may be sent now, and what its answer means for later ones. */
export interface Admission {
  /** Milliseconds until this node may start, Infinity while others have to end first; with 0 it counts as started. */
  admit(node: PlannedNode): number;
  /** Takes in the facts of an attempt; returns whether the retry budget pays for another one. */
  report(node: PlannedNode, facts: Facts, row: Row): boolean;
  /** An attempt ended without saying anything about the service. */
  abandoned(node: PlannedNode): void;
  readonly createsEnded: boolean;
  /** Nothing came back since the retries were used up, or nothing could be reached at all. */
  readonly unavailable: boolean;
  /** Milliseconds until the service counts as unavailable, if nothing succeeds until then. */
  givesUpInMs(): number;
  /** Nothing could come back during these milliseconds. */
  suspended(ms: number): void;
  /** The end of a request's attempt is recorded: its claim passes to the media that it made, if any. */
  requested(node: PlannedNode, media: readonly Address[]): void;
  /** A medium is being generated, or no longer is. */
  generating(media: Address): void;
  settled(media: Address): void;
}

interface Parts {
  readonly clock: Clock;
  readonly limits: RequestLimits;
  readonly claims: MediaClaims;
  readonly breaker: CreateBreaker;
  readonly budget: RetryBudget;
  readonly repeatedPolls: RateBucket;
  readonly polled: Set<Address>;
  readonly startedAt: Map<Address, number>;
  /** Whether anything has been answered, and whether anything could not be reached. */
  readonly seen: { reached: boolean; unreached: boolean };
}

export function createAdmission(options: {
  limits: LimitSettings;
  clock: Clock;
  random: () => number;
}): Admission {
  const { clock, random } = options;
  const parts: Parts = {
    clock,
    limits: createLimits({ settings: options.limits, clock }),
    claims: createMediaClaims(options.limits.mediaInFlight),
    breaker: createBreaker(clock, random),
    budget: createRetryBudget(clock),
    repeatedPolls: createRateBucket(REPEATED_POLLS_PER_SECOND, clock),
    polled: new Set(),
    startedAt: new Map(),
    seen: { reached: false, unreached: false },
  };
  const { claims, breaker, budget, seen } = parts;
  return {
    admit(node) {
      const ms = opensAt(parts, node) - clock.monotonic();
      if (ms > 0) return ms;
      started(parts, node);
      return 0;
    },
    report: (node, facts, row) => report(parts, node, { facts, row }),
    abandoned(node) {
      requestEnded(parts, node, 'neither');
      if (isCreate(node)) breaker.ended('not-sent');
    },
    get unavailable() {
      return budget.isEmpty || (seen.unreached && !seen.reached);
    },
    get createsEnded() {
      return breaker.over;
    },
    givesUpInMs: () => budget.givesUpAt() - clock.monotonic(),
    suspended: (ms) => budget.suspended(ms),
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

function opensAt(parts: Parts, node: PlannedNode): number {
  if (claimsPosts(node) && !parts.claims.fits(node.payload.numberOfPosts)) {
    return Number.POSITIVE_INFINITY;
  }
  return Math.max(
    parts.limits.opensAt(node.kind),
    parts.budget.opensAt(),
    ...(isCreate(node) ? [parts.breaker.opensAt()] : []),
    ...(isRepeatedPoll(parts, node) ? [parts.repeatedPolls.opensAt()] : []),
  );
}

function started(parts: Parts, node: PlannedNode): void {
  parts.limits.started(node.kind);
  parts.startedAt.set(node.address, parts.clock.monotonic());
  parts.budget.started();
  if (isRepeatedPoll(parts, node)) parts.repeatedPolls.take();
  if (KINDS[node.kind].limit === 'polls') parts.polled.add(node.address);
  if (isCreate(node)) parts.breaker.started();
  if (claimsPosts(node)) parts.claims.reserve(node.payload.numberOfPosts);
}

function isRepeatedPoll({ polled }: Parts, { kind, action, address }: PlannedNode): boolean {
  return KINDS[kind].limit === 'polls' && (action === 'resume' || polled.has(address));
}

function report(
  parts: Parts,
  node: PlannedNode,
  { facts, row }: { readonly facts: Facts; readonly row: Row },
): boolean {
  const { limits, breaker, budget, seen } = parts;
  const { says } = row;
  const cameToNothing = says === 'fails' || says === 'unreached';
  requestEnded(parts, node, signalOf(row, cameToNothing && 'load' in facts));
  if (isCreate(node)) breaker.ended(row.log);
  if (says === 'well') budget.succeeded();
  if (says === 'denies') budget.denied();
  if (says === 'unreached') seen.unreached = true;
  else if (says === 'well' || says === 'answers' || says === 'denies') seen.reached = true;
  // Also where this node is deferred: other nodes of its kind must not ask in the meantime.
  if (says === 'throttled') limits.hold(node.kind, heldMs(facts));
  // A refusal is no outage, and another attempt adds nothing to one.
  return cameToNothing ? budget.failed() : true;
}

function requestEnded(
  { clock, startedAt, limits }: Parts,
  { address, kind }: PlannedNode,
  signal: LoadSignal,
) {
  const now = clock.monotonic();
  limits.ended(kind, signal, now - (startedAt.get(address) ?? now));
  startedAt.delete(address);
}

function signalOf({ says }: Row, isOverload: boolean): LoadSignal {
  if (isOverload) return 'overloaded';
  if (says === 'throttled') return says;
  return says === 'well' ? 'succeeded' : 'neither';
}
