/**
 * How a run ends before its work is done. Phases, in this order:
 * - run: work is started.
 * - finish: no new work; requests in flight end by themselves.
 * - drain: abortable requests are aborted; creates that were sent are awaited for 20 s.
 * - now: only the log is awaited.
 */
import type { Clock } from '../util/clock.ts';
import type { StopReason, StopSignal } from './stop.ts';

type Phase = 'run' | 'finish' | 'drain' | 'now';

const ORDER: readonly Phase[] = ['run', 'finish', 'drain', 'now'];
const CREATES_AWAITED_MS = 20_000;

export function createStopping({
  stop,
  clock,
  deadlineMs,
}: {
  stop: StopSignal;
  clock: Clock;
  deadlineMs?: number | undefined;
}) {
  const deadlineAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + deadlineMs;
  const reasons = new Set<StopReason>();
  let cutAt = Number.POSITIVE_INFINITY;
  let phase: Phase = 'run';

  function advance(to: Phase, reason: StopReason | undefined): void {
    if (reason) reasons.add(reason);
    if (ORDER.indexOf(to) <= ORDER.indexOf(phase)) return;
    phase = to;
    if (to === 'drain') cutAt = clock.monotonic() + CREATES_AWAITED_MS;
  }

  return {
    get phase(): Phase {
      return phase;
    },
    reasons: reasons as ReadonlySet<StopReason>,
    /** Whether requests may be sent now. */
    get open(): boolean {
      return phase === 'run' && stop.level === 'run';
    },
    /** Milliseconds until the next phase begins by itself; Infinity when it does not. */
    get nextInMs(): number {
      const at = phase === 'run' || phase === 'finish' ? deadlineAt : cutAt;
      return at - clock.monotonic();
    },
    /** Enters the phase for the present signal and time. */
    check(): void {
      const now = clock.monotonic();
      if (stop.level === 'drain') advance('drain', 'signal');
      if (stop.level === 'now') advance('now', 'signal');
      if (now >= deadlineAt && (phase === 'run' || phase === 'finish')) advance('drain', 'deadline');
      if (phase === 'drain' && now >= cutAt) advance('now', undefined);
    },
    /** No new work from now on; without a reason where a bug ends the run. */
    finish(reason?: StopReason): void {
      advance('finish', reason);
    },
    /** As after a first signal. */
    drain(reason: StopReason): void {
      advance('drain', reason);
    },
    /** A reason that ends only a part of the work. */
    note(reason: StopReason): void {
      reasons.add(reason);
    },
  };
}

export type Stopping = ReturnType<typeof createStopping>;
