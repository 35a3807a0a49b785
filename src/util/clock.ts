/**
 * Time as a parameter: the composition root passes the real clock, tests pass one that they move by hand.
 * `now` is wall-clock epoch milliseconds, for records and people; `monotonic` is milliseconds from an
 * arbitrary zero that no one can set back, for waiting and measuring.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls `fire` once after `ms` milliseconds, any length; returns the function that cancels it. */
  after(ms: number, fire: () => void): () => void;
}

/** Longest delay that a Node timer takes; a longer one fires after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fire) {
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? arm(left - step) : fire()), step);
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};
