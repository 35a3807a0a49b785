/**
 * The newest record of a log that somebody has seen durable. A log of this lineage that lacks it is older than it was: its
 * database has come back from a backup, and whoever knows the head buys nothing again. It is known by the file beside the
 * manifest (in git), by the index of a storage, and by each process for as long as it lives.
 */
import type { RecordPlace } from '../log/log-record.ts';

export interface KnownHead {
  readonly lineage: string;
  readonly last: RecordPlace;
  /** When somebody had last decided about the log that had it; empty where nobody had. Whoever decides later settles it. */
  readonly boundAt: string;
}

/** After a decision that an older log counts, its numbers go on below those of the one that it lacks. */
export function isLater(one: KnownHead, other: KnownHead): boolean {
  if (one.boundAt !== other.boundAt) return one.boundAt > other.boundAt;
  return one.last.seq > other.last.seq;
}

/** Of each log that a process has seen. */
export interface SeenHeads {
  see(head: KnownHead): void;
  /** As it is now. */
  all(): readonly KnownHead[];
}

export function createSeenHeads(): SeenHeads {
  const heads = new Map<string, KnownHead>();
  return {
    see(head) {
      const before = heads.get(head.lineage);
      if (!before || isLater(head, before)) heads.set(head.lineage, head);
    },
    all: () => [...heads.values()],
  };
}
