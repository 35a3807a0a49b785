import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Admission } from './admission.ts';
import type { Progress } from './progress.ts';
import type { WorkSource } from './work-source.ts';
import type { NodeEnd, RunEvent } from '../model/run-event.ts';
import type { Recorder, Steps } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { StopReason, StopSignal } from './stop.ts';

export interface RunOptions {
  readonly work: WorkSource;
  readonly admission: Admission;
  readonly progress: Progress;
  readonly steps: Steps;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: () => number;
  /** ISO 8601, for records. */
  readonly now: () => string;
  readonly stop: StopSignal;
  /** `submit-only`: nothing is polled, a requested medium ends as `pending`. */
  readonly waiting: 'all' | 'submit-only';
  /** Milliseconds from the start; then the run stops as after a first signal. */
  readonly deadlineMs?: number | undefined;
  /** `stop`: no new work after the first failure. */
  readonly failFast?: 'stop' | 'continue' | undefined;
  /** Called after the process was suspended or the computer slept: connections and tokens may have ended unnoticed. */
  readonly onResume?: (() => void) | undefined;
  readonly emit: (event: RunEvent) => void;
}

export interface RunReport {
  /** How each node ended; a node that a stop kept from starting has no end. */
  readonly ends: ReadonlyMap<Address, NodeEnd>;
  /** Nodes that were added during the run: surplus posts. */
  readonly added: readonly PlannedNode[];
  readonly stopped: ReadonlySet<StopReason>;
  /** The error of the log, if it could not be written. */
  readonly writeError?: unknown;
}
