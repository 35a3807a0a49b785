import type { ExitCode } from './exit.ts';
import type { Problem as StoredProblem } from './generated/state-record.js';
import type { SourcePosition } from './source.ts';

/**
 * What went wrong, in words for the user and without a secret. Everything that is told has this shape, from a mistake
 * in the manifest to a refused request. One cause is one problem. The log keeps the members of `StoredProblem`.
 */
export interface Problem extends StoredProblem {
  /** Kebab-case and stable: scripts depend on it. Problems of nodes have none, theirs is made of kind and end. */
  readonly code?: string;
  /** Without it the problem is an error. */
  readonly severity?: 'warning';
  /** `source` as a position in the text, for problems that are shown. */
  readonly position?: SourcePosition;
  /** The text of the line that `position` names, without its line end. */
  readonly sourceLine?: string;
  readonly exit?: ExitCode;
  /** Of an unknown create. */
  readonly look_for?: LookFor;
  /** Of a problem of nodes: all nodes that have it. */
  readonly addresses?: readonly string[];
}

/** What to look for at the service, to see whether an unknown create made something. */
export type LookFor = {
  /** ISO 8601: when it was about to be sent. */
  readonly sent_at: string;
} & (
  | {
      readonly kind: 'product' | 'concept';
      /** As it was sent. */
      readonly name: string;
    }
  | {
      readonly kind: 'media-config';
      /** The name of its concept, and its id; each absent where it is not known. */
      readonly concept?: string;
      readonly concept_id?: string;
      readonly posts: number;
      /** What was asked for, each form once: `image 4:5`. */
      readonly formats: readonly string[];
      /** Names of the products that they show, as they were sent, and the texts of the posts, each once. */
      readonly products: readonly string[];
      readonly captions: readonly string[];
    }
);

export type FatalProblem = Problem & Required<Pick<Problem, 'code' | 'detail' | 'exit'>>;

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

/** The summary of a post that the service could not generate; the detail is its status, and what it said. */
export const GENERATION_FAILED = 'The generation failed';
