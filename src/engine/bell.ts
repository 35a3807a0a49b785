import type { Clock } from '../util/clock.ts';

/** The one place where the engine waits: until it is rung, or until a time has come. */
export interface Bell {
  ring(): void;
  /** Resolves when the bell was rung since the last wait, or at `until` (monotonic milliseconds; Infinity: no such time). */
  wait(until: number): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(until) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const ms = Math.max(0, Math.ceil(until - clock.monotonic()));
          const cancel = ms === Infinity ? undefined : clock.after(ms, resolve);
          wake = () => {
            cancel?.();
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}
