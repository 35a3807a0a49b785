import type { ExitCode } from './exit.ts';

/** `unknown`: it could not be seen, because of another problem or because only a paid request would show it. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'unknown';

/** What one check of `campaign doctor` saw. */
export interface Finding {
  /** Stable: scripts depend on it. A gap of the interface goes by the name of its setting. */
  readonly check: string;
  readonly status: FindingStatus;
  /** One line. */
  readonly summary: string;
  /** What to do about it. */
  readonly action?: string;
  /** How a run that meets this problem ends; errors only. */
  readonly exit?: ExitCode;
}
