import type { Clock } from '../../util/clock.ts';

/** Waiting that ends with the emulator. */
export interface Waits {
  /** Resolves after so long; never, once all waiting was ended. */
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
