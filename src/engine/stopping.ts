/**
 * How a run ends before its work is done. Phases, in this order:
 * - run: work is started.
 * - finish: no new work; requests in flight end by themselves.
 * - drain: abortable requests are aborted; creates that were sent are awaited for 20 s.
 * - now: only the log is awaited.
 */
import type { Problem } from '../model/problem.ts';
import type { Clock } from '../util/clock.ts';
import type { StopReason } from './outcome-table.ts';

/** How far the run has to stop: `drain` after the first signal, `now` after the second. */
export interface StopSignal {
  readonly level: 'run' | 'drain' | 'now';
  /** Calls `listener` after each change of `level`, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** The problem of a node that a stop kept from its end. */
export const STOPPED: Problem = { summary: 'the run was stopped' };

const PHASES = ['run', 'finish', 'drain', 'now'] as const;
type Phase = (typeof PHASES)[number];
const CREATES_AWAITED_MS = 20_000;

interface StopOptions {
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly deadlineMs?: number | undefined;
}

export function createStopping({ stop, clock, deadlineMs = Number.POSITIVE_INFINITY }: StopOptions) {
  const deadlineAt = clock.monotonic() + deadlineMs;
  const reasons = new Set<StopReason>();
  let cutAt = Number.POSITIVE_INFINITY;
  let phase: Phase = 'run';

  const endsByDeadline = () => phase === 'run' || phase === 'finish';

  function enter(to: Phase, reason?: StopReason): void {
    if (reason) reasons.add(reason);
    if (PHASES.indexOf(to) <= PHASES.indexOf(phase)) return;
    phase = to;
    if (to === 'drain') cutAt = clock.monotonic() + CREATES_AWAITED_MS;
  }

  return {
    reasons,
    /** Without a reason where a bug ends the run; never goes back. */
    enter,
    get phase(): Phase {
      return phase;
    },
    get open(): boolean {
      return phase === 'run' && stop.level === 'run';
    },
    /** Milliseconds until the next phase begins by itself; Infinity when it does not. */
    get nextInMs(): number {
      return (endsByDeadline() ? deadlineAt : cutAt) - clock.monotonic();
    },
    check(): void {
      const now = clock.monotonic();
      if (stop.level !== 'run') enter(stop.level, 'signal');
      if (now >= deadlineAt && endsByDeadline()) enter('drain', 'deadline');
      if (phase === 'drain' && now >= cutAt) enter('now');
    },
  };
}

export type Stopping = ReturnType<typeof createStopping>;
