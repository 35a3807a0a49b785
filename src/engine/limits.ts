import type { NodeKind } from '../model/address.ts';
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
export type LoadSignal = 'succeeded' | 'overloaded' | 'neither';

/** Requests in flight: in all, per kind, per second; and kinds that the service asked to wait. */
export interface Limits {
  /** Earliest time (monotonic milliseconds) at which one more may leave; Infinity while others have to end first. */
  opensAt(kind: NodeKind): number;
  started(kind: NodeKind): void;
  ended(kind: NodeKind, signal: LoadSignal): void;
  /** Nothing of this kind leaves before `until`, and then one after the other until one succeeds. */
  hold(kind: NodeKind, until: number): void;
}

/** After a hold, starts are spread over about this time, so that not all come back at once. */
const SPREAD_MS = 1000;

interface KindLimit {
  readonly adaptive: AdaptiveLimit;
  inFlight: number;
  heldUntil: number;
  /** Since when a success would end the careful return from a hold. */
  recoversFrom: number | undefined;
}

export function createLimits(options: {
  settings: LimitSettings;
  clock: Clock;
  random: () => number;
}): Limits {
  const { settings, clock, random } = options;
  const rate = createRateBucket(settings.requestsPerSecond, clock);
  const kinds = new Map<NodeKind, KindLimit>();
  let inFlight = 0;
  let sending = 0;

  function ofKind(kind: NodeKind): KindLimit {
    const known = kinds.get(kind);
    if (known) return known;
    const cap = settings.perKind[kind] ?? settings.total;
    const adaptive = createAdaptiveLimit(cap, clock);
    const made = { adaptive, inFlight: 0, heldUntil: Number.NEGATIVE_INFINITY, recoversFrom: undefined };
    kinds.set(kind, made);
    return made;
  }

  /** Due polls and downloads always find a slot: the other kinds together leave one free. */
  function hasSlot(kind: NodeKind): boolean {
    const reserved = settings.total > 1 && isSending(kind) && sending >= settings.total - 1;
    return inFlight < settings.total && !reserved;
  }

  return {
    opensAt(kind) {
      const limit = ofKind(kind);
      if (!hasSlot(kind) || limit.inFlight >= limit.adaptive.limit) return Number.POSITIVE_INFINITY;
      return Math.max(limit.heldUntil, rate.opensAt());
    },
    started(kind) {
      const limit = ofKind(kind);
      limit.inFlight += 1;
      inFlight += 1;
      if (isSending(kind)) sending += 1;
      rate.take();
      if (limit.recoversFrom !== undefined) {
        limit.heldUntil = clock.monotonic() + Math.round((random() * SPREAD_MS) / limit.adaptive.limit);
      }
    },
    ended(kind, signal) {
      const limit = ofKind(kind);
      if (signal === 'succeeded') {
        limit.adaptive.succeeded(limit.inFlight);
        // One that left before the hold says nothing about what the service bears after it.
        if (clock.monotonic() >= (limit.recoversFrom ?? Infinity)) {
          limit.recoversFrom = undefined;
          limit.heldUntil = Number.NEGATIVE_INFINITY;
        }
      }
      if (signal === 'overloaded') limit.adaptive.overloaded();
      limit.inFlight -= 1;
      inFlight -= 1;
      if (isSending(kind)) sending -= 1;
    },
    hold(kind, until) {
      const limit = ofKind(kind);
      limit.heldUntil = Math.max(limit.heldUntil, until);
      limit.recoversFrom = limit.heldUntil;
    },
  };
}

function isSending(kind: NodeKind): boolean {
  return kind !== 'media' && kind !== 'download';
}
