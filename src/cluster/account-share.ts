/**
 * What the processes of an account share of its limits: the times at which requests may leave, which are reserved a few at
 * once, and what each of them finds out about the service.
 */
import type { SharedLimits } from '../engine/shared-limits.ts';
import { LATE_MS } from '../engine/turns.ts';
import type { SharedRun } from '../store/shared-run.ts';
import { StateWriteError } from '../store/write-error.ts';
import type { Clock } from '../util/clock.ts';

export function createAccountShare({ run, clock }: { readonly run: SharedRun; readonly clock: Clock }) {
  let isPaced = false;
  let isAsked = false;
  /** Monotonic milliseconds. */
  let times: readonly number[] = [];
  const inTime = () => times.filter((at) => at + LATE_MS >= clock.monotonic());
  const limits: SharedLimits = {
    opensAt() {
      if (!isPaced) return Number.NEGATIVE_INFINITY;
      times = inTime();
      isAsked = times.length === 0;
      return times[0] ?? Number.POSITIVE_INFINITY;
    },
    take() {
      times = times.slice(1);
    },
    async turn() {
      if (!isPaced) return 0;
      times = inTime();
      const [at] = times;
      times = times.slice(1);
      if (at !== undefined) return Math.max(0, at - clock.monotonic());
      try {
        const [ms] = await run.takeTimes(1);
        return ms;
      } catch (error) {
        // This process has lost the run: it only awaits what it has sent.
        if (!(error instanceof StateWriteError)) throw error;
        return 0;
      }
    },
    hold: (hold) => run.hold(hold),
    creates: (ambiguous) => run.tellCreates(ambiguous),
  };
  return {
    limits,
    /** Whether it has a time: what is asked of the database now might outlast it. */
    get hasTime(): boolean {
      return isPaced && inTime().length > 0;
    },
    /** Whether the account limits the requests a second. */
    pace(next: boolean): void {
      isPaced = next;
    },
    /** Reserves times, at most so many, if a request waits for one; whether it has got some. */
    async more(most: number): Promise<boolean> {
      if (!isAsked) return false;
      isAsked = false;
      const found = await run.takeTimes(most);
      const now = clock.monotonic();
      times = found.map((ms) => now + ms);
      return times.length > 0;
    },
  };
}

export type AccountShare = ReturnType<typeof createAccountShare>;
