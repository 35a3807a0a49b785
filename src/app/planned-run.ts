import type { StopSignal } from '../engine/stopping.ts';
import type { ExitCode } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Recorder } from '../model/step.ts';
import type { Campaign } from './campaign.ts';

/** A planned run with an open state. */
export interface PlannedRun {
  readonly campaign: Pick<Campaign, 'manifest' | 'graph' | 'readAt' | 'emulatorData'>;
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly apiKey: string;
}

export interface CarryOutOptions {
  /** `submit-only`: requested posts are neither waited for nor downloaded. */
  readonly waiting: 'all' | 'submit-only';
  /** Milliseconds after which the run stops by itself. */
  readonly deadlineMs?: number | undefined;
  /** `stop`: nothing new is started after the first failure. */
  readonly failFast: 'stop' | 'continue';
  /** Requests at once; by default the manifest's limit. */
  readonly concurrency?: number | undefined;
  /** Called before the first request is sent. */
  readonly listen: () => Stop;
}

export interface Stop extends StopSignal {
  /** The exit code of a run that it stopped. */
  readonly exit: ExitCode | undefined;
  release(): void;
}
