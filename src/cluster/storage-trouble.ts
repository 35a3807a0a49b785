/**
 * A storage that one process cannot use: its credentials have expired, its drive is not mounted, its disk is full. Others may
 * be able to, and it may be over in a moment. So what failed for that goes back to the queue, and this process claims
 * nothing for a while; otherwise it would claim and fail all results of the run, one after the other.
 */
import type { Ended } from '../engine/work-source.ts';
import type { Address } from '../model/address.ts';
import type { Problem } from '../model/problem.ts';
import type { Clock } from '../util/clock.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** A node that fails for longer than that has failed, and the next apply takes it up. */
const PATIENCE_MS = 600_000;

interface Trouble {
  readonly clock: Clock;
  /** Until something has succeeded again: once, and after ten minutes again, as nodes fail from then on. */
  readonly tell: (problem: Problem) => void;
}

export function createStorageTrouble({ clock, tell }: Trouble) {
  const since = new Map<Address, number>();
  let opensAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    /** Nothing is claimed until then; monotonic milliseconds. */
    get opensAt(): number {
      return opensAt;
    },
    /** Whether this node has not ended, and is for whoever claims it next. */
    isPassing({ node: { address }, end, problem }: Ended): boolean {
      if (end !== 'failed' || problem?.cause !== 'disk') {
        if (since.delete(address)) pauseMs = 0;
        return false;
      }
      const now = clock.monotonic();
      const first = since.get(address) ?? now;
      if (now - first >= PATIENCE_MS) return false;
      since.set(address, first);
      // What was under way at once fails at once.
      if (now < opensAt) return true;
      if (pauseMs === 0 || now - toldAt >= PATIENCE_MS) {
        tell(problem);
        toldAt = now;
      }
      pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
      opensAt = now + pauseMs;
      return true;
    },
  };
}
