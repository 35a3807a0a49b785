import type { Clock } from '../../src/util/clock.ts';

/** Time that the test moves. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let time = 0;
  return {
    now: () => Date.UTC(2026, 10, 21) + time,
    monotonic: () => time,
    after: () => () => {},
    advance(ms) {
      time += ms;
    },
  };
}
