/**
 * What the processes of an account share of its limits: the times at which requests may leave, which are reserved a few at
 * once, and what each of them finds out about the service.
 */
import type { SharedLimits } from '../engine/shared-limits.ts';
import type { SharedRun } from '../store/shared-run.ts';
import type { Clock } from '../util/clock.ts';

/** A time that was not used until then is lost: requests that were held up must not leave all at once. */
const LATE_MS = 250;

export function createAccountShare({ run, clock }: { readonly run: SharedRun; readonly clock: Clock }) {
  let isPaced = false;
  let isAsked = false;
  /** Monotonic milliseconds. */
  let times: readonly number[] = [];
  const limits: SharedLimits = {
    opensAt() {
      if (!isPaced) return Number.NEGATIVE_INFINITY;
      times = times.filter((at) => at + LATE_MS >= clock.monotonic());
      isAsked = times.length === 0;
      return times[0] ?? Number.POSITIVE_INFINITY;
    },
    take() {
      times = times.slice(1);
    },
    hold: (hold) => run.hold(hold),
    creates: (ambiguous) => run.tellCreates(ambiguous),
  };
  return {
    limits,
    /** Whether it has a time: what is asked of the database now might outlast it. */
    get hasTime(): boolean {
      return isPaced && times.some((at) => at + LATE_MS >= clock.monotonic());
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
