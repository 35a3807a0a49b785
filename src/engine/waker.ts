import type { Clock } from '../util/clock.ts';

/** If the loop wakes up this late, the process was suspended, or the computer slept. */
const LATE_MS = 5000;
/** The loop wakes up at least this often, so that a suspend is noticed whatever it waits for. */
const LONGEST_WAIT_MS = 5000;

/** The one place where the engine waits: until it is woken, until a time has come, or for five seconds. */
export function createWaker(clock: Clock) {
  let woken = false;
  let interrupt: (() => void) | undefined;

  function waitUntil(at: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), resolve);
      interrupt = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    wake(): void {
      woken = true;
      interrupt?.();
    },
    /**
     * Resolves when the loop was woken since the last wait, at the latest after `ms` milliseconds. After a suspend it
     * gives how far the monotonic clock advanced meanwhile: by 0 ms while the computer slept.
     */
    async wait(ms: number): Promise<number | undefined> {
      const wall = clock.now();
      const start = clock.monotonic();
      const at = start + Math.max(0, Math.min(ms, LONGEST_WAIT_MS));
      if (!woken) await waitUntil(at);
      woken = false;
      interrupt = undefined;
      const late = clock.monotonic() - at;
      const slept = clock.now() - wall - (clock.monotonic() - start);
      return Math.max(late, slept) > LATE_MS ? Math.max(0, late) : undefined;
    },
  };
}
