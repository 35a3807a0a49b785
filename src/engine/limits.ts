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

/**
 * Requests in flight: in all, per kind, per second; and kinds that the service asked to wait. All and each kind have an
 * adaptive limit: some services count the requests of each route, some count them together.
 */
export interface Limits {
  /** Earliest time (monotonic milliseconds) at which one more may leave; Infinity while others have to end first. */
  opensAt(kind: NodeKind): number;
  started(kind: NodeKind): void;
  /** It took `ms`. */
  ended(kind: NodeKind, signal: LoadSignal, ms: number): void;
  /** Nothing of this kind leaves for so many milliseconds. */
  hold(kind: NodeKind, ms: number): void;
}

interface KindLimit {
  readonly adaptive: AdaptiveLimit;
  inFlight: number;
  heldUntil: number;
}

export function createLimits(options: { settings: LimitSettings; clock: Clock }): Limits {
  const { settings, clock } = options;
  const rate = createRateBucket(settings.requestsPerSecond, clock);
  const all = createAdaptiveLimit(settings.total, clock);
  const kinds = new Map<NodeKind, KindLimit>();
  /** Kinds of the last overloads, newest first. */
  let overloads: readonly { readonly kind: NodeKind; readonly at: number }[] = [];
  let inFlight = 0;
  let submitting = 0;

  function ofKind(kind: NodeKind): KindLimit {
    const known = kinds.get(kind);
    if (known) return known;
    const made: KindLimit = {
      adaptive: createAdaptiveLimit(settings.perKind[kind] ?? settings.total, clock),
      inFlight: 0,
      heldUntil: Number.NEGATIVE_INFINITY,
    };
    kinds.set(kind, made);
    return made;
  }

  /** Due polls and downloads always find a slot: the other kinds together leave one free. */
  function hasSlot(kind: NodeKind): boolean {
    const reserved = settings.total > 1 && isSubmitting(kind) && submitting >= settings.total - 1;
    return inFlight < settings.total && !reserved;
  }

  /** Where several kinds are refused in turn, the service counts all requests together. */
  function tooMuch(kind: NodeKind, signal: 'throttled' | 'overloaded'): void {
    const now = clock.monotonic();
    const [last] = overloads;
    // Many at once are one.
    if (last?.kind !== kind || now - last.at >= 1000)
      overloads = [{ kind, at: now }, ...overloads].slice(0, 4);
    const limit = overloads.every((other) => other.kind === kind) ? ofKind(kind).adaptive : all;
    limit[signal]();
  }

  return {
    opensAt(kind) {
      const limit = ofKind(kind);
      if (!hasSlot(kind)) return Number.POSITIVE_INFINITY;
      return Math.max(
        limit.heldUntil,
        limit.adaptive.opensAt(limit.inFlight),
        all.opensAt(inFlight),
        rate.opensAt(),
      );
    },
    started(kind) {
      const limit = ofKind(kind);
      limit.inFlight += 1;
      inFlight += 1;
      if (isSubmitting(kind)) submitting += 1;
      rate.take();
      limit.adaptive.started();
      all.started();
    },
    ended(kind, signal, ms) {
      const limit = ofKind(kind);
      if (signal === 'succeeded') {
        limit.adaptive.succeeded(limit.inFlight, ms);
        all.succeeded(inFlight, ms);
      }
      if (signal === 'throttled' || signal === 'overloaded') tooMuch(kind, signal);
      limit.inFlight -= 1;
      inFlight -= 1;
      if (isSubmitting(kind)) submitting -= 1;
    },
    hold(kind, ms) {
      const limit = ofKind(kind);
      limit.heldUntil = Math.max(limit.heldUntil, clock.monotonic() + ms);
    },
  };
}
