import type { Address } from '../model/address.ts';
import { isCreate, KINDS, type NodeKind } from '../model/kinds.ts';
import { amountOf } from '../model/money.ts';
import type { Action, Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Load, RunEvent } from '../model/run-event.ts';
import { firstOf } from '../util/first-of.ts';
import { groupBy } from '../util/group-by.ts';
import { generatingFromBefore, postsOf, requestsIn } from './generating-posts.ts';
import { createParts, type Files, type Part } from './live-parts.ts';
import { changesOf, currencyOf, requestPrices } from './live-plan.ts';
import { countParts } from './run-parts.ts';
import { createRecentPosts } from './recent-posts.ts';

const OLDEST_SHOWN = 3;

/** What is shown of a run while it goes on. Durations are in milliseconds. */
export interface LiveRun {
  readonly elapsedMs: number;
  /** Posts whose generation has ended. */
  readonly posts: Part & { readonly leftMs?: number };
  /** Uploads, products, concepts and requests, deletions included. */
  readonly requests: Part & { readonly active: readonly Active[] };
  readonly files: Files & { readonly active: number };
  readonly generating: {
    readonly posts: number;
    readonly limit: number;
    readonly perMinute?: number;
    readonly usualMs?: number;
    readonly oldest: readonly {
      readonly address: Address;
      readonly ms: number;
    }[];
  };
  readonly load: Load & { readonly ms: number };
  /** The nodes that wait because their request failed. */
  readonly retrying?: {
    readonly nodes: number;
    readonly problem: Problem;
    readonly ms: number;
  };
  readonly stopping?: {
    readonly awaited: number;
    readonly creates: number;
    readonly ms: number;
  };
  readonly cost?: {
    readonly spent: number;
    readonly of: number;
    readonly currency?: string;
  };
}

/** So many nodes of one kind are under way. */
interface Active {
  readonly kind: NodeKind;
  readonly action: Action;
  readonly number: number;
}

interface Known {
  readonly mediaInFlight: number;
  /** How long posts of earlier runs took. */
  readonly usualMs?: number | undefined;
}

/** Follows the events of a run; `at` gives what is shown at a time. All times are monotonic milliseconds. */
export function createLiveRun(plan: Plan, known: Known, startedAt: number) {
  const followed = begin(plan, known, startedAt);
  return {
    take: (event: RunEvent, now: number): void => follow(followed, event, now),
    at: (now: number): LiveRun => shown(followed, now),
  };
}

function begin(plan: Plan, known: Known, startedAt: number) {
  return {
    plan,
    known,
    startedAt,
    prices: requestPrices(plan),
    actions: changesOf(plan),
    /** When each node that is under way was started, the oldest first. */
    active: new Map<NodeKind, Map<Address, number>>([['media', generatingFromBefore(plan, startedAt)]]),
    requests: requestsIn(plan),
    newestAt: startedAt,
    retrying: new Map<Address, { readonly problem: Problem; readonly until: number }>(),
    generated: createRecentPosts(),
    parts: createParts(countParts(plan)),
    spent: 0n,
    load: { state: 'normal', since: startedAt } as Load & {
      readonly since: number;
    },
    stopping: undefined as { awaited: number; creates: number; until: number } | undefined,
  };
}

type Followed = ReturnType<typeof begin>;

function activeOf({ active }: Followed, kind: NodeKind): ReadonlyMap<Address, number> {
  return active.get(kind) ?? NONE;
}

const NONE: ReadonlyMap<Address, number> = new Map();

function follow(followed: Followed, event: RunEvent, now: number): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events are no progress
  switch (event.type) {
    case 'node-started':
      return started(followed, event, now);
    case 'node-waiting':
      if (event.problem)
        followed.retrying.set(event.address, {
          problem: event.problem,
          until: now + event.ms,
        });
      return;
    case 'node-finished':
      return finished(followed, event, now);
    case 'load-changed': {
      // It goes on being throttled while the limit is looked for.
      const { since, state } = followed.load;
      followed.load = { ...event, since: event.state === state ? since : now };
      return;
    }
    case 'run-stopping':
      followed.stopping = {
        awaited: event.awaited,
        creates: event.creates,
        until: now + event.ms,
      };
  }
}

function started(
  followed: Followed,
  { kind, address }: Extract<RunEvent, { type: 'node-started' }>,
  now: number,
): void {
  followed.retrying.delete(address);
  noteActive(followed, kind, address, now);
  followed.newestAt = now;
}

function noteActive({ active }: Followed, kind: NodeKind, address: Address, now: number): void {
  const since = active.get(kind) ?? new Map<Address, number>();
  active.set(kind, since);
  if (!since.has(address)) since.set(address, now);
}

function finished(
  followed: Followed,
  event: Extract<RunEvent, { type: 'node-finished' }>,
  now: number,
): void {
  const { active, retrying, parts, generated, prices } = followed;
  const { kind, address, end, ms } = event;
  const wasActive = active.get(kind)?.delete(address) ?? false;
  retrying.delete(address);
  if (wasActive && end !== 'put-off') noLongerAwaited(followed, event);
  parts.add(event);
  if (KINDS[kind].stored === 'take' && end === 'done') generated.add({ at: now, ms });
  if (end === 'done')
    for (const post of postsOf(followed.requests.get(address))) noteActive(followed, 'media', post, now);
  if (end === 'done' || end === 'unknown') followed.spent += prices.get(address) ?? 0n;
}

/** After a stop: creates and updates that were sent come to their ends, one by one. */
function noLongerAwaited({ stopping }: Followed, node: Extract<RunEvent, { type: 'node-finished' }>): void {
  if (!stopping || !(isCreate(node) || node.action === 'update')) return;
  stopping.awaited = Math.max(0, stopping.awaited - 1);
  if (isCreate(node)) stopping.creates = Math.max(0, stopping.creates - 1);
}

function shown(followed: Followed, now: number): LiveRun {
  const { startedAt, known, parts, load, stopping, spent, plan } = followed;
  const { since, ...state } = load;
  const amount = plan.cost?.amount ?? undefined;
  const retrying = retryingAt(followed, now);
  return {
    elapsedMs: now - startedAt,
    posts: { ...parts.posts(), ...leftOf(followed, now) },
    requests: { ...parts.requests(), active: activeRequests(followed) },
    files: { ...parts.files(), active: activeOf(followed, 'download').size },
    generating: generatingAt(followed, now, known),
    load: { ...state, ms: now - since },
    ...(retrying && { retrying }),
    ...(stopping && {
      stopping: { ...stopping, ms: Math.max(0, stopping.until - now) },
    }),
    ...(amount !== undefined && {
      cost: { spent: amountOf(spent), of: amount, ...currencyOf(plan) },
    }),
  };
}

function leftOf({ parts, generated, newestAt }: Followed, now: number) {
  const perMs = generated.perMs(now);
  const { all, done, pending, putOff } = parts.posts();
  const left = all - done - pending - putOff;
  if (perMs === undefined || left <= 0) return {};
  // The newest one takes at least as long as usual.
  return {
    leftMs: Math.max(left / perMs, (generated.usualMs() ?? 0) - (now - newestAt)),
  };
}

function generatingAt(followed: Followed, now: number, known: Known): LiveRun['generating'] {
  const takes = activeOf(followed, 'media');
  const perMs = followed.generated.perMs(now);
  const usualMs = followed.generated.usualMs() ?? known.usualMs;
  return {
    posts: takes.size,
    limit: known.mediaInFlight,
    ...(perMs !== undefined && { perMinute: Math.round(perMs * 60_000) }),
    ...(usualMs !== undefined && { usualMs }),
    oldest: firstOf(takes, OLDEST_SHOWN).map(([address, since]) => ({
      address,
      ms: now - since,
    })),
  };
}

function retryingAt({ retrying }: Followed, now: number): LiveRun['retrying'] {
  let nodes = 0;
  let last: { readonly problem: Problem; readonly until: number } | undefined;
  for (const waiting of retrying.values()) {
    if (waiting.until <= now) continue;
    nodes += 1;
    last = waiting;
  }
  return last && { nodes, problem: last.problem, ms: last.until - now };
}

function activeRequests(followed: Followed): Active[] {
  return REQUESTS.flatMap((kind) => {
    const addresses = [...activeOf(followed, kind).keys()];
    const byAction = groupBy(addresses, (address) => followed.actions.get(address) ?? 'create');
    return [...byAction].map(([action, alike]) => ({
      kind,
      action,
      number: alike.length,
    }));
  });
}

const REQUESTS = (Object.keys(KINDS) as NodeKind[]).filter(
  (kind) => KINDS[kind].stored === 'object' || KINDS[kind].stored === 'request',
);
