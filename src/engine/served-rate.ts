import type { Clock } from '../util/clock.ts';

const LAST_SECONDS = 3;

export function createServedRate(clock: Clock) {
  let second: number | undefined;
  let counts: number[] = [];

  function moveOn(): void {
    const now = Math.floor(clock.monotonic() / 1000);
    const passed = second === undefined ? 1 : now - second;
    second = now;
    for (let empty = 0; empty < Math.min(passed, LAST_SECONDS); empty += 1) counts.push(0);
    counts = counts.slice(-LAST_SECONDS);
  }

  return {
    count(): void {
      moveOn();
      counts.push((counts.pop() ?? 0) + 1);
    },
    /** The most in one of the last seconds; none before the first one; Infinity during the first. */
    perSecond(): number {
      if (second === undefined) return 0;
      moveOn();
      return counts.length < 2 ? Number.POSITIVE_INFINITY : Math.max(...counts);
    },
  };
}
