import type { Clock } from '../util/clock.ts';

/** So late a wake-up means that the process stood still: the machine slept, or it was stopped. */
const LATE_MS = 5000;
/** Wakes up for nothing at least so often, so that a standstill is noticed whatever is awaited. */
const LONGEST_WAIT_MS = 5000;

/** The process stood still. */
export interface Standstill {
  /** How far the monotonic clock went on meanwhile: not at all while the machine slept. */
  readonly ms: number;
}

/** The one place where the engine waits: until it is rung, until a time has come, or for five seconds. */
export function createBell(clock: Clock) {
  let rung = false;
  let wake: (() => void) | undefined;

  function waitUntil(at: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    ring(): void {
      rung = true;
      wake?.();
    },
    /**
     * Resolves when the bell was rung since the last wait, or after so many milliseconds (Infinity: no such time) at the
     * latest; to what is known of a standstill, if there was one.
     */
    async wait(ms: number): Promise<Standstill | undefined> {
      const wall = clock.now();
      const start = clock.monotonic();
      const at = start + Math.max(0, Math.min(ms, LONGEST_WAIT_MS));
      if (!rung) await waitUntil(at);
      rung = false;
      wake = undefined;
      const late = clock.monotonic() - at;
      const slept = clock.now() - wall - (clock.monotonic() - start);
      return Math.max(late, slept) > LATE_MS ? { ms: Math.max(0, late) } : undefined;
    },
  };
}

export type Bell = ReturnType<typeof createBell>;
