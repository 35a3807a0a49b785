/**
 * How the run comes to its end before its work does. Phases, each only ever followed by a later one:
 * - run: work is started.
 * - finish: no new work; requests in flight end by themselves.
 * - drain: what may be aborted is; creates that were sent are awaited for 20 s.
 * - now: nothing is awaited but the log.
 */
import type { Clock } from '../util/clock.ts';
import type { StopReason, StopSignal } from './stop.ts';

type Phase = 'run' | 'finish' | 'drain' | 'now';

export interface Stopping {
  readonly phase: Phase;
  readonly reasons: ReadonlySet<StopReason>;
  /** Whether requests may leave at this very moment. */
  readonly open: boolean;
  /** Milliseconds until time alone leads to the next phase; Infinity when it does not. */
  readonly nextInMs: number;
  /** Enters the phase that signal and time ask for. */
  check(): void;
  /** No new work from now on; without a reason where a bug ends the run. */
  finish(reason?: StopReason): void;
  /** As after a first signal. */
  drain(reason: StopReason): void;
  /** A reason that ends only some of the work. */
  note(reason: StopReason): void;
}

const ORDER: readonly Phase[] = ['run', 'finish', 'drain', 'now'];
const CREATES_AWAITED_MS = 20_000;

export function createStopping(options: {
  stop: StopSignal;
  clock: Clock;
  deadlineMs: number | undefined;
}): Stopping {
  const { stop, clock, deadlineMs } = options;
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
    get phase() {
      return phase;
    },
    reasons,
    get open() {
      return phase === 'run' && stop.level === 'run';
    },
    get nextInMs() {
      const at = phase === 'run' || phase === 'finish' ? deadlineAt : cutAt;
      return at - clock.monotonic();
    },
    check() {
      const now = clock.monotonic();
      if (stop.level === 'drain') advance('drain', 'signal');
      if (stop.level === 'now') advance('now', 'signal');
      if (now >= deadlineAt && (phase === 'run' || phase === 'finish')) advance('drain', 'deadline');
      if (phase === 'drain' && now >= cutAt) advance('now', undefined);
    },
    finish(reason) {
      advance('finish', reason);
    },
    drain(reason) {
      advance('drain', reason);
    },
    note(reason) {
      reasons.add(reason);
    },
  };
}
