import { isSubmitting, type NodeKind } from '../model/kinds.ts';
import type { Clock } from '../util/clock.ts';
import { type AdaptiveLimit, createAdaptiveLimit } from './adaptive-limit.ts';
import { createRateBucket } from './rate-bucket.ts';

/** The limits of the manifest, defaults filled in. */
export interface LimitSettings {
  /** Requests in flight, of all kinds together. */
  readonly total: number;
  /** Requests in flight of one kind; without an entry it is the total. */
  readonly perKind: Readonly<Partial<Record<NodeKind, number>>>;
  /** Posts being generated at once. */
  readonly mediaInFlight: number;
  readonly requestsPerSecond?: number;
}

/** What a request's end says about how much the service bears. */
export type LoadSignal = 'succeeded' | 'throttled' | 'overloaded' | 'neither';

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
 * Requests in flight: in all, per kind, per second; and kinds that the service asked to wait. All and each kind have an
 * adaptive limit: some services count the requests of each route, some count them together.
 */
export function createLimits({ settings, clock }: Pick<State, 'settings' | 'clock'>) {
  const rate = createRateBucket(settings.requestsPerSecond, clock);
  const all = createAdaptiveLimit(settings.total, clock);
  const state: State = { settings, clock, all, kinds: new Map(), overloads: [], inFlight: 0, submitting: 0 };

  function count(kind: NodeKind, by: 1 | -1): void {
    kindOf(state, kind).inFlight += by;
    state.inFlight += by;
    if (isSubmitting(kind)) state.submitting += by;
  }

  return {
    /** Earliest time (monotonic milliseconds) at which one more may leave; Infinity while others have to end first. */
    opensAt(kind: NodeKind): number {
      const { adaptive, heldUntil, inFlight } = kindOf(state, kind);
      if (!hasSlot(state, kind)) return Number.POSITIVE_INFINITY;
      return Math.max(heldUntil, adaptive.opensAt(inFlight), all.opensAt(state.inFlight), rate.opensAt());
    },
    started(kind: NodeKind): void {
      count(kind, 1);
      rate.take();
      kindOf(state, kind).adaptive.started();
      all.started();
    },
    /** It took `ms`. */
    ended(kind: NodeKind, signal: LoadSignal, ms: number): void {
      const { adaptive, inFlight } = kindOf(state, kind);
      if (signal === 'succeeded') {
        adaptive.succeeded(inFlight, ms);
        all.succeeded(state.inFlight, ms);
      }
      if (signal === 'throttled' || signal === 'overloaded') tooMuch(state, kind)[signal]();
      count(kind, -1);
    },
    /** Nothing of this kind leaves for so many milliseconds. */
    hold(kind: NodeKind, ms: number): void {
      const limit = kindOf(state, kind);
      limit.heldUntil = Math.max(limit.heldUntil, clock.monotonic() + ms);
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;

function kindOf({ settings, clock, kinds }: State, kind: NodeKind): KindLimit {
  const known = kinds.get(kind);
  if (known) return known;
  const adaptive = createAdaptiveLimit(settings.perKind[kind] ?? settings.total, clock);
  const made: KindLimit = { adaptive, inFlight: 0, heldUntil: Number.NEGATIVE_INFINITY };
  kinds.set(kind, made);
  return made;
}

/** Due polls and downloads always find a slot: the other kinds together leave one free. */
function hasSlot({ settings: { total }, inFlight, submitting }: State, kind: NodeKind): boolean {
  const isReserved = total > 1 && isSubmitting(kind) && submitting >= total - 1;
  return inFlight < total && !isReserved;
}

/** What is to be lowered: where several kinds are refused in turn, the service counts all requests together. */
function tooMuch(state: State, kind: NodeKind): AdaptiveLimit {
  const now = state.clock.monotonic();
  const [last] = state.overloads;
  // Many at once are one.
  if (last?.kind !== kind || now - last.at >= 1000)
    state.overloads = [{ kind, at: now }, ...state.overloads].slice(0, 4);
  const isOneKind = state.overloads.every((other) => other.kind === kind);
  return isOneKind ? kindOf(state, kind).adaptive : state.all;
}
