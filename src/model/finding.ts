import type { ExitCode } from './exit.ts';

/** `unknown`: another problem prevented the check, or only a request that costs money would show it. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'unknown';

export interface Finding {
  /** Stable, because scripts depend on it. The check of a gap has the name of its setting. */
  readonly check: string;
  readonly status: FindingStatus;
  readonly summary: string;
  readonly action?: string;
  /** The exit code of a run that meets this problem; errors only. */
  readonly exit?: ExitCode;
}
