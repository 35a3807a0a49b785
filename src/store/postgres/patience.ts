import type { Clock } from '../../util/clock.ts';
import { count } from '../../util/count.ts';
import { DatabaseError } from './database-error.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** Whoever looks on is told nothing of a shorter one. */
const MOMENT_MS = 5_000;

interface Manner {
  readonly clock: Clock;
  readonly longestMs: number;
  /** Is told why something has to wait, where that takes longer than a moment; once for all that waits at the same time. */
  readonly waits?: ((why: string) => void) | undefined;
}

/** Tries work again while the database is away. It has to come to the same, however often it is done. */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

export function createPatience({ clock, longestMs, waits }: Manner): Patiently {
  const waiting = new Set<unknown>();
  let isTold = false;

  async function pause(error: DatabaseError, { ms, left }: { readonly ms: number; readonly left: number }) {
    if (!isTold && longestMs - left >= MOMENT_MS) {
      isTold = true;
      waits?.(`${error.message}. The run waits for it for up to ${count(longestMs / 60_000, 'minute')}`);
    }
    await new Promise<void>((resolve) => clock.after(Math.min(ms, left), resolve));
  }

  return async (work) => {
    const since = clock.monotonic();
    try {
      for (let ms = FIRST_WAIT_MS; ; ms = Math.min(2 * ms, LONGEST_WAIT_MS)) {
        try {
          return await work();
        } catch (error) {
          const left = since + longestMs - clock.monotonic();
          if (!(error instanceof DatabaseError && error.isPassing) || left <= 0) throw error;
          waiting.add(work);
          await pause(error, { ms, left });
        }
      }
    } finally {
      waiting.delete(work);
      if (waiting.size === 0) isTold = false;
    }
  };
}
