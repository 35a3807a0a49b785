import { isSubmitting, type NodeKind } from '../model/kinds.ts';
import type { Clock } from '../util/clock.ts';
import { type AdaptiveLimit, createAdaptiveLimit } from './adaptive-limit.ts';
import { createRateBucket } from './rate-bucket.ts';

/** The limits of the manifest, with defaults filled in. */
export interface LimitSettings {
  readonly total: number;
  /** Requests in flight of one kind; by default the total. */
  readonly perKind: Readonly<Partial<Record<NodeKind, number>>>;
  readonly mediaInFlight: number;
  readonly requestsPerSecond?: number;
}

export type LoadSignal = 'succeeded' | 'throttled' | 'overloaded';

/** So many requests at once, of so many that the manifest allows. */
export interface Lowered {
  readonly most: number;
  readonly of: number;
}

interface KindLimit {
  readonly adaptive: AdaptiveLimit;
  inFlight: number;
  heldUntil: number;
}

interface Limiting {
  readonly settings: LimitSettings;
  readonly clock: Clock;
  /** One that others take from, too; by default its own. */
  readonly rate?: ReturnType<typeof createRateBucket>;
}

/**
 * Limits requests in flight: in all, for each kind, and per second; and stops kinds that the service asked to wait.
 * There is an adaptive limit for all requests and one for each kind, because some services count the requests of each
 * route, and some count them together.
 */
export function createLimits({ settings: first, clock, ...given }: Limiting) {
  let settings = first;
  const rate = given.rate ?? createRateBucket(settings.requestsPerSecond, clock);
  const all = createAdaptiveLimit(settings.total, clock);
  const capOf = (kind: NodeKind) => settings.perKind[kind] ?? settings.total;
  const kinds = new Map<NodeKind, KindLimit>();
  const isOneKind = createOverloads(clock);
  const inFlight = { all: 0, submitting: 0 };

  function count(kind: NodeKind, change: 1 | -1): void {
    limitOf(kind).inFlight += change;
    inFlight.all += change;
    if (isSubmitting(kind)) inFlight.submitting += change;
  }

  function limitOf(kind: NodeKind): KindLimit {
    const limit = kinds.get(kind) ?? createKindLimit(capOf(kind), clock);
    kinds.set(kind, limit);
    return limit;
  }

  return {
    /** Other settings hold; what was learned of the service stays. */
    configure(next: LimitSettings): void {
      settings = next;
      rate.allow(next.requestsPerSecond);
      all.capAt(next.total);
      for (const [kind, { adaptive }] of kinds) adaptive.capAt(capOf(kind));
    },
    /** Earliest time (monotonic milliseconds) for one more; Infinity while others have to end first. */
    opensAt(kind: NodeKind): number {
      const { total } = settings;
      const { adaptive, heldUntil, inFlight: inKind } = limitOf(kind);
      // The other kinds together leave one slot free, so that due polls and downloads always find one.
      const isReserved = total > 1 && isSubmitting(kind) && inFlight.submitting >= total - 1;
      if (inFlight.all >= total || isReserved) return Number.POSITIVE_INFINITY;
      return Math.max(heldUntil, adaptive.opensAt(inKind), all.opensAt(inFlight.all), rate.opensAt());
    },
    started(kind: NodeKind): void {
      count(kind, 1);
      rate.take();
      limitOf(kind).adaptive.started();
      all.started();
    },
    ended(kind: NodeKind, signal: LoadSignal | undefined, ms: number): void {
      const limit = limitOf(kind);
      if (signal === 'succeeded') {
        limit.adaptive.succeeded(limit.inFlight, ms);
        all.succeeded(inFlight.all, ms);
      } else if (signal) (isOneKind(kind) ? limit.adaptive : all)[signal]();
      count(kind, -1);
    },
    /** What the service slows down most, if it does. */
    lowered: () => lowestOf([all, ...Array.from(kinds.values(), ({ adaptive }) => adaptive)]),
    hold(kind: NodeKind, ms: number): void {
      const limit = limitOf(kind);
      limit.heldUntil = Math.max(limit.heldUntil, clock.monotonic() + ms);
    },
  };
}

function createKindLimit(cap: number, clock: Clock): KindLimit {
  return { adaptive: createAdaptiveLimit(cap, clock), inFlight: 0, heldUntil: Number.NEGATIVE_INFINITY };
}

/** The limit that is the smallest part of what the manifest allows, where one is lowered. */
function lowestOf(limits: readonly AdaptiveLimit[]): Lowered | undefined {
  let lowest: Lowered | undefined;
  for (const { most, cap } of limits)
    if (most < (lowest ? (lowest.most / lowest.of) * cap : cap)) lowest = { most, of: cap };
  return lowest;
}

export type RequestLimits = ReturnType<typeof createLimits>;

/**
 * So many refusals in a row tell of a limit for one kind. Four would too often be of one kind by chance: polls and
 * downloads take turns, and a kind that is lowered in vain holds up the other, which waits for it.
 */
const TELLING_REFUSALS = 8;

/** Whether only this kind is refused: where several are, in turn, the service counts all requests together. */
function createOverloads(clock: Clock): (kind: NodeKind) => boolean {
  let last: readonly { readonly kind: NodeKind; readonly at: number }[] = [];
  return (kind) => {
    const at = clock.monotonic();
    // Many refusals at once count as one.
    if (last[0]?.kind !== kind || at - last[0].at >= 1000)
      last = [{ kind, at }, ...last].slice(0, TELLING_REFUSALS);
    return last.every((other) => other.kind === kind);
  };
}
