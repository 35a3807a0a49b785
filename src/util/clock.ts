export interface Clock {
  /** Epoch milliseconds, for records and people. */
  now(): number;
  /** Milliseconds from an arbitrary zero that nobody can set back, for waiting and measuring. */
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
