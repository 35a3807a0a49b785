import type { Clock } from '../../util/clock.ts';

/** Waits that end when the emulator closes. */
export interface Waits {
  /** Resolves after that time; never resolves once the emulator was closed. */
  wait(ms: number): Promise<void>;
  end(): void;
}

export function createWaits(clock: Clock): Waits {
  const cancels = new Set<() => void>();
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, () => {
          cancels.delete(cancel);
          resolve();
        });
        cancels.add(cancel);
      }),
    end() {
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
