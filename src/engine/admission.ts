/** Decides whether a request may be sent now, and what its answer means for later ones. */
import type { AccountNews } from '../model/account-news.ts';
import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import { isCreate, isSubmitting, kindHas, KINDS, type NodeKind } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Load } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import { heldMs, isQuota } from './judge.ts';
import type { LoadSignal } from './limits.ts';
import type { Row } from './outcome-table.ts';
import type { Quota, ServiceLimits } from './service-limits.ts';
import type { SharedLimits } from './shared-limits.ts';

/**
 * So many attempts may work on what they have got, without a slot: enough for the disk and the decoder to be busy all the
 * time, and few enough that what waits for them does not grow where the network is faster.
 */
const MOST_AFTER_ANSWER = 32;

interface AdmissionOptions {
  readonly service: ServiceLimits;
  readonly clock: Clock;
  /** Absent where nobody else uses the account. */
  readonly shared?: SharedLimits | undefined;
}

function createParts({ service, clock, shared }: AdmissionOptions) {
  service.turns.shareWith(shared);
  return {
    ...service,
    clock,
    shared,
    polled: new Set<Address>(),
    startedAt: new Map<Address, number>(),
    /** Attempts that have given their slot back, and have not ended. */
    afterAnswer: new Set<Address>(),
    seen: { reached: false, unreached: false, news: false },
  };
}

type Parts = ReturnType<typeof createParts>;

export function createAdmission(options: AdmissionOptions) {
  const parts = createParts(options);
  const { clock, claims, breaker, budget, seen } = parts;
  return {
    turns: parts.turns,
    /** Milliseconds until this node may start, Infinity while others have to end first; with 0 it counts as started. */
    admit(node: PlannedNode): number {
      const ms = opensAt(parts, node) - clock.monotonic();
      if (ms > 0) return ms;
      started(parts, node);
      return 0;
    },
    /** All answers of this attempt were read: its slot is free. */
    answered(node: PlannedNode): void {
      requestEnded(parts, node, 'succeeded');
      parts.afterAnswer.add(node.address);
    },
    /** Takes in the facts of an attempt; returns whether the retry budget pays for another one. */
    report: (node: PlannedNode, facts: Facts, row: Row): boolean => report(parts, node, { facts, row }),
    /** An attempt ended without saying anything about the service. */
    abandoned(node: PlannedNode): void {
      requestEnded(parts, node, undefined);
      if (isCreate(node)) breaker.ended('not-sent');
    },
    /** Takes in what others that use the account have found out. */
    heard: (news: AccountNews): void => heard(parts, news),
    /** Whether something was heard since the last time that ends nodes. */
    takeNews: (): boolean => seen.news && !(seen.news = false),
    quotas: parts.quotas,
    quotaOf: (kind: NodeKind) => quotaOf(parts, kind),
    get createsEnded(): boolean {
      return breaker.over;
    },
    /** Nothing came back since the retries were used up, or nothing could be reached at all. */
    get unavailable(): boolean {
      return budget.isEmpty || (seen.unreached && !seen.reached);
    },
    isReached: (): boolean => seen.reached,
    /** How well the service keeps up. */
    get load(): Load {
      return loadOf(parts);
    },
    /** Milliseconds until the service counts as unavailable, if nothing succeeds until then. */
    givesUpInMs: (): number => budget.givesUpAt() - clock.monotonic(),
    suspended: (ms: number): void => budget.suspended(ms),
    /** The end of a request's attempt is recorded: it holds its claim for the media that it made, if any. */
    requested(node: PlannedNode, media = 0): void {
      if (!claimsPosts(node)) return;
      claims.unreserve(node.payload.numberOfPosts);
      if (media > 0) claims.hold(node.address, media);
    },
    generating: (media: Address): void => claims.hold(media),
    /** A medium is no longer being generated; nothing for any other node. `isSurplus`: nobody held a claim for it. */
    settled(node: PlannedNode, isSurplus: boolean): void {
      if (!kindHas(node, 'stored', 'take')) return;
      claims.release(node.address);
      if (!isSurplus) claims.release(node.payload.request);
      parts.polled.delete(node.address);
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;

function claimsPosts(node: PlannedNode) {
  return kindHas(node, 'limit', 'media in flight');
}

function opensAt(parts: Parts, node: PlannedNode): number {
  const isFull = claimsPosts(node) && !parts.claims.fits(node.payload.numberOfPosts);
  const isBehind = KINDS[node.kind].localFiles === 'writes' && parts.afterAnswer.size >= MOST_AFTER_ANSWER;
  if (isFull || isBehind || quotaOf(parts, node.kind)) return Number.POSITIVE_INFINITY;
  const at = Math.max(
    parts.limits.opensAt(node.kind),
    parts.budget.opensAt(),
    ...(isCreate(node) ? [parts.breaker.opensAt()] : []),
    ...(isRepeatedPoll(parts, node) ? [parts.repeatedPolls.opensAt()] : []),
  );
  // Asked last, because what it gives is lost to others.
  return parts.shared && at <= parts.clock.monotonic() ? Math.max(at, parts.shared.opensAt()) : at;
}

function started(parts: Parts, node: PlannedNode): void {
  parts.limits.started(node.kind);
  parts.shared?.take();
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

/** A used-up quota of one submitting kind ends all submitting, because the other kinds could not be used. */
function quotaOf({ quotas }: Parts, kind: NodeKind): Quota | undefined {
  return quotas.find((quota) => quota.kind === kind || (isSubmitting(quota.kind) && isSubmitting(kind)));
}

function report(
  parts: Parts,
  node: PlannedNode,
  { facts, row }: { readonly facts: Facts; readonly row: Row },
): boolean {
  const { clock, shared, limits, budget, quotas, seen } = parts;
  const { says } = row;
  // It asked for nothing, so its next poll is its first one.
  if (facts.came === 'busy') parts.polled.delete(node.address);
  if (isQuota(facts)) {
    const quota = { kind: node.kind, problem: facts.problem };
    quotas.push({ ...quota, until: clock.monotonic() + heldMs(facts) });
    shared?.hold({ ...quota, ms: heldMs(facts) });
  }
  const cameToNothing = says === 'fails' || says === 'unreached';
  requestEnded(parts, node, cameToNothing && 'load' in facts ? 'overloaded' : SIGNALS[says]);
  if (isCreate(node)) createEnded(parts, row.log);
  if (says === 'well') budget.succeeded();
  if (says === 'denies') budget.denied();
  if (says === 'unreached') seen.unreached = true;
  else if (says === 'well' || says === 'answers' || says === 'denies') seen.reached = true;
  // Also where this node is deferred: other nodes of its kind must not ask in the meantime.
  if (says === 'throttled') limits.hold(node.kind, heldMs(facts));
  // A refusal is no outage, and another attempt adds nothing to one.
  return cameToNothing ? budget.failed() : true;
}

function loadOf({ budget, limits }: Parts): Load {
  if (budget.isEmpty || budget.givesUpAt() < Number.POSITIVE_INFINITY) return { state: 'outage' };
  const { most, of } = limits.lowered() ?? { most: 0, of: 0 };
  const atOnce = Math.max(1, Math.round(most));
  return atOnce < of ? { state: 'throttled', at_once: atOnce, of } : { state: 'normal' };
}

function heard(parts: Parts, { holds, ambiguous }: AccountNews): void {
  const { clock, quotas, breaker, seen } = parts;
  const fresh = holds.filter(({ kind }) => !quotaOf(parts, kind));
  quotas.push(...fresh.map(({ kind, problem, ms }) => ({ kind, problem, until: clock.monotonic() + ms })));
  const wasOver = breaker.over;
  breaker.heard(ambiguous.inARow, ambiguous.ms);
  seen.news ||= fresh.length > 0 || breaker.over !== wasOver;
}

function createEnded({ breaker, shared, clock }: Parts, log: Row['log']): void {
  const { inARow: before } = breaker;
  breaker.ended(log);
  const { inARow, trialAt } = breaker;
  if (inARow !== before) shared?.creates({ inARow, ms: Math.max(0, trialAt - clock.monotonic()) });
}

const SIGNALS: Readonly<Partial<Record<Row['says'], LoadSignal>>> = {
  well: 'succeeded',
  throttled: 'throttled',
};

function requestEnded(
  { clock, startedAt, afterAnswer, limits }: Parts,
  { address, kind }: PlannedNode,
  signal: LoadSignal | undefined,
): void {
  if (afterAnswer.delete(address)) return;
  const now = clock.monotonic();
  limits.ended(kind, signal, now - (startedAt.get(address) ?? now));
  startedAt.delete(address);
}
