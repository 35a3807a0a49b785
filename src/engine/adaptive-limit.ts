import type { Clock } from '../util/clock.ts';
import { createServedRate } from './served-rate.ts';

/** Overload lowers the limit to this part of itself; a refused rate lowers it further, if even less was served. */
const LOWERED_TO = 0.7;
const LOWERED_AT_MOST_EVERY_MS = 1000;
/** The limit recovers quickly to this part of what was too much, and stays there for so long and so many requests. */
const SAFE_PART = 0.9;
const CONTENT_FOR_MS = 10_000;
const CONTENT_FOR_SUCCESSES = 30;
/** Below this limit, proportionally fewer successes are needed, because they come more slowly. */
const FEW = 2;
/** After that, the limit grows by this part each second, doubled every second while nothing is refused. */
const FIRST_GROWTH = 0.05;
const MOST_GROWTH = 0.2;
/** The served rate is measured over a short time, so the true limit may be this much higher. */
const DOUBT = 1.2;
const LONGEST_GAP_MS = 10_000;

/**
 * How many requests may be in flight. It starts at the cap (a slow start costs time and protects nobody), is lowered
 * when the service is overloaded, recovers quickly to just below what was too much, and rises beyond that rarely and in
 * small steps: with few requests in flight, every fifth would be refused if it constantly tried one more.
 *
 * Below the cap, starts are spread over the time that a request takes, so the limit is a rate as well. It may be below
 * one: then one request is in flight at a time, with pauses.
 */
export function createAdaptiveLimit(configured: number, clock: Clock) {
  const served = createServedRate(clock);
  const state = initially(configured);
  let cap = configured;
  return {
    /** Another cap holds. A limit that was lowered stays below it, and grows as ever. */
    capAt(next: number): void {
      state.limit = state.limit >= cap ? next : Math.min(state.limit, next);
      cap = next;
    },
    /** How many may be in flight; below one, there are pauses between them. */
    get most(): number {
      return state.limit;
    },
    /** How many the manifest allows. */
    get cap(): number {
      return cap;
    },
    /** Earliest time (monotonic milliseconds) for one more request; Infinity while others have to end first. */
    opensAt(inFlight: number): number {
      const { limit, nextAt } = state;
      // A rate between one and two needs a second slot, because requests take different times.
      const most = limit < 2 ? Math.ceil(limit) : Math.round(limit);
      if (inFlight >= most) return Number.POSITIVE_INFINITY;
      return limit < cap ? nextAt : Number.NEGATIVE_INFINITY;
    },
    started(): void {
      const gap = Math.min(LONGEST_GAP_MS, state.usualMs / state.limit);
      state.nextAt = Math.max(state.nextAt, clock.monotonic() - gap) + gap;
    },
    /** A request succeeded after `ms` milliseconds, while `used` were in flight, itself included. */
    succeeded(used: number, ms: number): void {
      served.count();
      state.successes += 1;
      state.usualMs = state.usualMs === 0 ? ms : state.usualMs * 0.9 + ms * 0.1;
      // With less than half of the limit in use, a success does not show that more would be possible.
      if (used * 2 >= state.limit) grow(state, cap, clock.monotonic());
    },
    throttled(): void {
      const perSecond = served.perSecond();
      const bearable = perSecond === 0 ? undefined : (perSecond * state.usualMs) / 1000;
      lower(state, clock.monotonic(), bearable);
    },
    /** The service was too slow or said 503: perhaps an outage, which says nothing about the rate that it can serve. */
    overloaded: (): void => lower(state, clock.monotonic(), undefined),
  };
}

export type AdaptiveLimit = ReturnType<typeof createAdaptiveLimit>;
type State = ReturnType<typeof initially>;

function initially(cap: number) {
  return {
    limit: cap,
    tooMuch: Number.POSITIVE_INFINITY,
    loweredAt: Number.NEGATIVE_INFINITY,
    successes: 0,
    growth: FIRST_GROWTH,
    grewAt: 0,
    /** The smoothed time that a request takes. */
    usualMs: 0,
    nextAt: Number.NEGATIVE_INFINITY,
  };
}

function grow(state: State, cap: number, now: number): void {
  const { limit, loweredAt, successes } = state;
  const safe = SAFE_PART * state.tooMuch;
  const seconds = Math.min(1, (now - state.grewAt) / 1000);
  const enough = CONTENT_FOR_SUCCESSES * Math.min(1, limit / FEW);
  state.grewAt = now;
  if (limit < safe) state.limit = Math.min(cap, safe, limit + Math.min(1 / limit, limit / 10));
  else if (now - loweredAt >= CONTENT_FOR_MS && successes >= enough) {
    state.growth = Math.min(MOST_GROWTH, state.growth * 2 ** seconds);
    state.limit = Math.min(cap, limit * (1 + state.growth * seconds));
  }
}

function lower(state: State, now: number, bearable: number | undefined): void {
  const { limit, usualMs } = state;
  if (now - state.loweredAt < LOWERED_AT_MOST_EVERY_MS) return;
  Object.assign(state, { loweredAt: now, successes: 0, growth: FIRST_GROWTH });
  const lowered = LOWERED_TO * limit;
  if (bearable === undefined) {
    // An outage asks for one at a time; a limit that is already below one stays.
    state.limit = Math.max(lowered, Math.min(1, limit));
    return;
  }
  state.tooMuch = Math.min(limit, DOUBT * bearable);
  state.limit = Math.max(Math.min(lowered, bearable), usualMs / LONGEST_GAP_MS);
}
