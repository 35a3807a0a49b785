import type { ExitCode } from './exit.ts';
import type { SourcePosition, SourceRef } from './source.ts';

/**
 * What went wrong, in words for the user and without a secret: the one shape of everything that is told, from a mistake in
 * the manifest to a refused request. One cause is one problem. The log keeps the members that log/stored-event.ts lists.
 */
export interface Problem {
  /** Kebab-case, stable: scripts depend on it. The problem of a node has none: its kind and its end name it. */
  readonly code?: string;
  /** Absent: it is an error. */
  readonly severity?: 'warning';
  /** Short and constant per cause. */
  readonly summary: string;
  /** What is wrong here, why it matters, what the service or the disk said, and what to do. */
  readonly detail?: string;
  /** Where in the manifest its cause is written. */
  readonly source?: SourceRef;
  /** The same as a place in a text, for problems that are shown. */
  readonly position?: SourcePosition;
  /** The text of the line that `position` names, without its line end. */
  readonly sourceLine?: string;
  /** How the command ends that cannot go on because of it. */
  readonly exit?: ExitCode;
  /**
   * What is at fault where it is not the service: the disk of this machine, the base URL of the environment, how this
   * machine connects (certificates, proxy), a node upstream, which the detail names, or the time that the manifest gives
   * a post.
   */
  readonly cause?: 'disk' | 'base-url' | 'connection' | 'upstream' | 'media-timeout';
  /** Photos that it is about, as the manifest's folder has them; told beside the cause, never part of it. */
  readonly photos?: readonly string[];
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** ISO 8601: when the service wants to be asked again, where it has said so and it is not soon. */
  readonly retry_at?: string;
}

/** A problem that nothing can go on with. */
export type FatalProblem = Problem & Required<Pick<Problem, 'code' | 'detail' | 'exit'>>;

/** What stops a command before or instead of a run: its exit code, and what is told about it. */
export interface Refusal {
  readonly exit: ExitCode;
  readonly problems: readonly Problem[];
}

/** A refusal for one problem, without a place in a file. */
export function refusal(
  exit: ExitCode,
  problem: Required<Pick<Problem, 'code' | 'summary' | 'detail'>>,
): Refusal {
  return { exit, problems: [problem] };
}
