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

/** What the end of a request says about the load of the service. */
export type LoadSignal = 'succeeded' | 'throttled' | 'overloaded';

interface KindLimit {
  readonly adaptive: AdaptiveLimit;
  inFlight: number;
  heldUntil: number;
}

interface State {
  readonly settings: LimitSettings;
  readonly clock: Clock;
  readonly all: AdaptiveLimit;
  readonly kinds: Map<NodeKind, KindLimit>;
  /** Kinds of the last overloads, newest first. */
  overloads: readonly { readonly kind: NodeKind; readonly at: number }[];
  inFlight: number;
  submitting: number;
}

/**
 * Limits requests in flight: in all, for each kind, and per second; and stops kinds that the service asked to wait.
 * There is an adaptive limit for all requests and one for each kind, because some services count the requests of each
 * route, and some count them together.
 */
export function createLimits({ settings, clock }: Pick<State, 'settings' | 'clock'>) {
  const rate = createRateBucket(settings.requestsPerSecond, clock);
  const all = createAdaptiveLimit(settings.total, clock);
  const state: State = { settings, clock, all, kinds: new Map(), overloads: [], inFlight: 0, submitting: 0 };

  function count(kind: NodeKind, by: 1 | -1): void {
    limitedKind(state, kind).inFlight += by;
    state.inFlight += by;
    if (isSubmitting(kind)) state.submitting += by;
  }

  return {
    /** Earliest time (monotonic milliseconds) for one more; Infinity while others have to end first. */
    opensAt(kind: NodeKind): number {
      const { adaptive, heldUntil, inFlight } = limitedKind(state, kind);
      if (!hasSlot(state, kind)) return Number.POSITIVE_INFINITY;
      return Math.max(heldUntil, adaptive.opensAt(inFlight), all.opensAt(state.inFlight), rate.opensAt());
    },
    started(kind: NodeKind): void {
      count(kind, 1);
      rate.take();
      limitedKind(state, kind).adaptive.started();
      all.started();
    },
    /** The request took `ms` milliseconds. */
    ended(kind: NodeKind, signal: LoadSignal | undefined, ms: number): void {
      const { adaptive, inFlight } = limitedKind(state, kind);
      if (signal === 'succeeded') {
        adaptive.succeeded(inFlight, ms);
        all.succeeded(state.inFlight, ms);
      } else if (signal) tooMuch(state, kind)[signal]();
      count(kind, -1);
    },
    /** No request of this kind starts for so many milliseconds. */
    hold(kind: NodeKind, ms: number): void {
      const limit = limitedKind(state, kind);
      limit.heldUntil = Math.max(limit.heldUntil, clock.monotonic() + ms);
    },
  };
}

export type RequestLimits = ReturnType<typeof createLimits>;

function limitedKind({ settings, clock, kinds }: State, kind: NodeKind): KindLimit {
  const known = kinds.get(kind);
  if (known) return known;
  const adaptive = createAdaptiveLimit(settings.perKind[kind] ?? settings.total, clock);
  const made: KindLimit = { adaptive, inFlight: 0, heldUntil: Number.NEGATIVE_INFINITY };
  kinds.set(kind, made);
  return made;
}

/** The other kinds together leave one slot free, so that due polls and downloads always find one. */
function hasSlot({ settings: { total }, inFlight, submitting }: State, kind: NodeKind): boolean {
  const isReserved = total > 1 && isSubmitting(kind) && submitting >= total - 1;
  return inFlight < total && !isReserved;
}

/** The limit to lower: where several kinds are refused in turn, the service counts all requests together. */
function tooMuch(state: State, kind: NodeKind): AdaptiveLimit {
  const now = state.clock.monotonic();
  const [last] = state.overloads;
  // Many refusals at once count as one.
  if (last?.kind !== kind || now - last.at >= 1000)
    state.overloads = [{ kind, at: now }, ...state.overloads].slice(0, 4);
  const isOneKind = state.overloads.every((other) => other.kind === kind);
  return isOneKind ? limitedKind(state, kind).adaptive : state.all;
}
