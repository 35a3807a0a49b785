import type { SourceRef } from './source.ts';

/** Why a node did not succeed, in words for the user and without a secret; plain data, kept in the state. */
export interface Problem {
  /** Short and constant per cause. */
  readonly summary: string;
  /** What the service or the disk said, and what to do. */
  readonly detail?: string;
  /**
   * What is at fault where it is not the service: the disk of this machine, the base URL of the environment, or how
   * this machine connects (certificates, proxy).
   */
  readonly cause?: 'disk' | 'base-url' | 'connection';
  /** Photos that it is about, as the manifest's folder has them; told beside the cause, never part of it. */
  readonly photos?: readonly string[];
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** Where in the manifest the node stands. */
  readonly source?: SourceRef;
}
