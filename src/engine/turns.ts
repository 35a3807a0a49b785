/**
 * Where so many requests a second may leave, each of them has a turn. An attempt is admitted with one, which its first
 * request takes; whatever else it asks (a token, a poll before a download, the second file) waits for another one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../util/clock.ts';
import type { createRateBucket } from './rate-bucket.ts';
import type { SharedLimits } from './shared-limits.ts';

/** A turn that was not used until then is lost: requests that were held up must not leave all at once. */
export const LATE_MS = 250;
/** Where nobody can say when the next turn is, it is asked again after so long. */
const AGAIN_MS = 250;

interface Parts {
  readonly rate: ReturnType<typeof createRateBucket>;
  readonly clock: Clock;
}

export function createTurns({ rate, clock }: Parts) {
  const attempts = new AsyncLocalStorage<{ turnUntil: number }>();
  let shared: Pick<SharedLimits, 'turn'> | undefined;

  function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        for (const signal of signals) signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      for (const signal of signals) signal.addEventListener('abort', end);
    });
  }

  return {
    /** Whoever else uses the account has a say, too; undefined: nobody does. */
    shareWith(limits: Pick<SharedLimits, 'turn'> | undefined): void {
      shared = limits;
    },
    /** Runs an attempt that was admitted. */
    attempt<T>(work: () => Promise<T>): Promise<T> {
      return shared || rate.isLimited
        ? attempts.run({ turnUntil: clock.monotonic() + LATE_MS }, work)
        : work();
    },
    /** Resolves when a request may leave; at once where one of the signals aborts. */
    async turn(this: void, signals: readonly AbortSignal[]): Promise<void> {
      const attempt = attempts.getStore();
      const until = attempt?.turnUntil ?? Number.NEGATIVE_INFINITY;
      if (attempt) attempt.turnUntil = Number.NEGATIVE_INFINITY;
      if (until >= clock.monotonic()) return;
      while (!signals.some(({ aborted }) => aborted)) {
        const ms = shared ? await shared.turn() : rate.reserve();
        if (ms === undefined || ms > 0) await pause(ms ?? AGAIN_MS, signals);
        if (ms !== undefined) return;
      }
    },
  };
}
