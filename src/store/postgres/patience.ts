import type { Clock } from '../../util/clock.ts';
import { DatabaseError } from './database-error.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

interface Patience {
  readonly clock: Clock;
  readonly longestMs: number;
}

/** Tries again while the database is away, for so long. The work has to come to the same, however often it is done. */
export async function patiently<T>(work: () => Promise<T>, { clock, longestMs }: Patience): Promise<T> {
  const since = clock.monotonic();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const left = since + longestMs - clock.monotonic();
      if (!(error instanceof DatabaseError && error.isPassing) || left <= 0) throw error;
      await new Promise<void>((resolve) => clock.after(Math.min(wait, left), resolve));
    }
  }
}
