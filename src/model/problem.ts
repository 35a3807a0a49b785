import type { SourceRef } from './source.ts';

/** Why a node did not succeed, in words for the user and without a secret; plain data, kept in the state. */
export interface Problem {
  /** Short and constant per cause. */
  readonly summary: string;
  /** What the service or the disk said, and what to do. */
  readonly detail?: string;
  /** The disk of this machine is at fault, not the service. */
  readonly cause?: 'disk';
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** Where in the manifest the node stands. */
  readonly source?: SourceRef;
}
