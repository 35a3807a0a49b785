import type { StopSignal } from '../engine/stop.ts';
import type { ExitCode } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Recorder } from '../model/step.ts';
import type { Campaign } from './campaign.ts';

/** One planned run with an open state. */
export interface PlannedRun {
  readonly campaign: Pick<Campaign, 'manifest' | 'graph' | 'readAt' | 'emulatorData'>;
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly apiKey: string;
}

/** How a run is carried out. */
export interface RunOptions {
  /** `submit-only`: what was requested is neither waited for nor downloaded. */
  readonly waiting: 'all' | 'submit-only';
  /** Milliseconds after which the run stops by itself. */
  readonly deadlineMs?: number | undefined;
  /** `stop`: nothing new is begun after the first failure. */
  readonly failFast: 'stop' | 'continue';
  /** Requests at once; the manifest's limit unless told. */
  readonly concurrency?: number | undefined;
  /** Called before the first request may leave. */
  readonly listen: () => Stop;
}

/** Tells a run to stop. */
export interface Stop extends StopSignal {
  /** How a run ends that it stopped. */
  readonly exit: ExitCode | undefined;
  /** Called when the run is over. */
  release(): void;
}
