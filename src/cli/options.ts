import type { PlanWishes } from '../app/plan-wishes.ts';

/** Flags as commander hands them over; every command has the shared ones. */
export interface SharedOptions {
  readonly env?: string;
  readonly state?: string;
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly json?: true;
  /** `--no-color` makes it false. */
  readonly color: boolean;
  readonly quiet?: true;
  readonly logLevel?: string;
  readonly allowOutside?: true;
  /** Of the commands that read or write photos and results. */
  readonly files?: string | true;
  /** Of the commands that plan. */
  readonly at?: string;
  /** Whether a plan shows every line. */
  readonly all?: true;
}

export interface ChangeOptions extends SharedOptions {
  readonly lockTimeout: number;
  readonly yes?: true;
}

export interface PlanOptions extends SharedOptions, Partial<PlanWishes> {
  readonly yes?: true;
}

export interface ApplyOptions extends PlanOptions, ServiceOptions, NoticeOptions {
  readonly plan?: string;
  readonly wait: boolean;
  readonly deadline?: number;
  readonly failFast?: true;
  readonly concurrency?: number;
  readonly lockTimeout: number;
  readonly ui?: true;
  readonly detach?: true;
  readonly work: boolean;
}

export interface NoticeOptions extends SharedOptions {
  readonly heartbeat?: string;
  readonly notify?: readonly string[];
}

export interface ServiceOptions {
  readonly profile?: string;
  readonly trace?: string;
}
