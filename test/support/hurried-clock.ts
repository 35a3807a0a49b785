import type { Clock } from '../../src/util/clock.ts';

/**
 * A clock on which waiting is short and working is not: a timer fires after a hundredth of its time, and the clock
 * then stands where the whole of it would have led. What the machine needs for its work counts as it is.
 */
export function createHurriedClock(options: { speed?: number; offsetMs?: number } = {}): Clock {
  const { speed = 100, offsetMs = 0 } = options;
  let skipped = 0;
  const monotonic = () => performance.now() + skipped;
  return {
    now: () => Date.now() + skipped + offsetMs,
    monotonic,
    after(ms, fire) {
      const due = monotonic() + ms;
      const timer = setTimeout(() => {
        skipped += Math.max(0, due - monotonic());
        fire();
      }, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}
