import type { SourceRef } from './source.ts';

/** Why a node did not succeed, in words for the user and without a secret; plain data, kept in the state. */
export interface Problem {
  /** Short and constant per cause. */
  readonly summary: string;
  /** What the service or the disk said, and what to do. */
  readonly detail?: string;
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
  /** Where in the manifest the node stands. */
  readonly source?: SourceRef;
}
