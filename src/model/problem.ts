import type { ExitCode } from './exit.ts';
import type { SourcePosition, SourceRef } from './source.ts';

/**
 * What went wrong, in words for the user and without a secret. Everything that is told has this shape, from a mistake
 * in the manifest to a refused request. One cause is one problem. The log keeps the members that log/stored-event.ts
 * lists.
 */
export interface Problem {
  /** Kebab-case and stable: scripts depend on it. Problems of nodes have none, theirs is made of kind and end. */
  readonly code?: string;
  /** Without it the problem is an error. */
  readonly severity?: 'warning';
  /** Short, and the same for every problem with this cause. */
  readonly summary: string;
  /** What is wrong here, why it matters, what the service or the disk said, and what to do. */
  readonly detail?: string;
  /** Where in the manifest its cause is written. */
  readonly source?: SourceRef;
  /** `source` as a position in the text, for problems that are shown. */
  readonly position?: SourcePosition;
  /** The text of the line that `position` names, without its line end. */
  readonly sourceLine?: string;
  /** The exit code of a command that cannot continue because of it. */
  readonly exit?: ExitCode;
  /**
   * The cause, where it is not the service: the disk of this machine, the base URL of the environment, the connection
   * (certificates, proxy), an upstream node, which the detail names, or `limits.media_timeout`.
   */
  readonly cause?: 'disk' | 'base-url' | 'connection' | 'upstream' | 'media-timeout';
  /** Photos that it is about, relative to the manifest's folder. They are shown beside the cause. */
  readonly photos?: readonly string[];
  readonly status?: number;
  /** ISO 8601: when the service asked to be tried again, if it did and that is not soon. */
  readonly retry_at?: string;
}

/** A problem that a command cannot continue with. */
export type FatalProblem = Problem & Required<Pick<Problem, 'code' | 'detail' | 'exit'>>;

/** What stops a command before or instead of a run: its exit code and the problems to show. */
export interface Refusal {
  readonly exit: ExitCode;
  readonly problems: readonly Problem[];
}

export function refusal(
  exit: ExitCode,
  problem: Required<Pick<Problem, 'code' | 'summary' | 'detail'>>,
): Refusal {
  return { exit, problems: [problem] };
}
