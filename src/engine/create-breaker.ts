import { MOST_AMBIGUOUS } from '../model/account-news.ts';
import { fullJitter } from '../util/backoff.ts';
import type { Clock } from '../util/clock.ts';
import type { Row } from './outcome-table.ts';

/**
 * Keeps an outage from leaving many unknown creates. States:
 * - closed: creates start freely. An ambiguous one opens it.
 * - open: those in flight end, with whatever result; then, after a backoff, one create starts alone (the trial). If it
 *   succeeds → closed. If it is ambiguous → open, with a longer backoff; the third in a row → over. Any other result
 *   proves nothing: the next trial may start.
 * - over: no create starts any more, neither in this run nor in later ones of the command.
 */
export function createBreaker(clock: Clock, random: () => number) {
  let inFlight = 0;
  let ambiguous = 0;
  let trial = false;
  let trialAt = Number.NEGATIVE_INFINITY;

  function backOff(): void {
    trialAt = clock.monotonic() + fullJitter({ attempt: ambiguous, baseMs: 200, capMs: 20_000, random });
  }

  return {
    get over(): boolean {
      return ambiguous >= MOST_AMBIGUOUS;
    },
    /** How many had no answer, and when the next one may be tried. */
    get inARow(): number {
      return ambiguous;
    },
    get trialAt(): number {
      return trialAt;
    },
    /** What others that use the same account have found out. */
    heard(inARow: number, ms: number): void {
      ambiguous = inARow;
      trialAt = clock.monotonic() + ms;
    },
    /** Earliest time (monotonic milliseconds) for a create; Infinity while others have to end first. */
    opensAt(): number {
      if (ambiguous === 0) return Number.NEGATIVE_INFINITY;
      return inFlight > 0 || ambiguous >= MOST_AMBIGUOUS ? Number.POSITIVE_INFINITY : trialAt;
    },
    started(): void {
      inFlight += 1;
      trial = ambiguous > 0;
    },
    /** The event with which a create's end is in the log. */
    ended(log: Row['log']): void {
      inFlight -= 1;
      const wasTrial = trial;
      trial = false;
      if (ambiguous > 0 && !wasTrial) return;
      if (log === 'unknown') ambiguous += 1;
      if (log === 'created') ambiguous = 0;
      const isUnsent = log === 'not-sent' || log === 'throttled';
      if (log === 'unknown' || (isUnsent && wasTrial)) backOff();
    },
  };
}
