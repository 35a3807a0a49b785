import type { Clock } from '../../util/clock.ts';
import { count } from '../../util/count.ts';
import { DatabaseError } from './database-error.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** Whoever looks on is told nothing of a shorter one. */
const MOMENT_MS = 5_000;

interface Patience {
  readonly clock: Clock;
  readonly longestMs: number;
  /** Is told once why it has to wait, where that takes longer than a moment. */
  readonly waits?: ((why: string) => void) | undefined;
}

/** Tries again while the database is away, for so long. The work has to come to the same, however often it is done. */
export async function patiently<T>(
  work: () => Promise<T>,
  { clock, longestMs, waits }: Patience,
): Promise<T> {
  const since = clock.monotonic();
  let isTold = false;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const left = since + longestMs - clock.monotonic();
      if (!(error instanceof DatabaseError && error.isPassing) || left <= 0) throw error;
      if (!isTold && longestMs - left >= MOMENT_MS) {
        isTold = true;
        waits?.(`${error.message}. The run waits for it for up to ${count(longestMs / 60_000, 'minute')}`);
      }
      await new Promise<void>((resolve) => clock.after(Math.min(wait, left), resolve));
    }
  }
}
