import type { Problem } from '../model/problem.ts';

/**
 * How far the run has been told to stop. `drain` (first signal): no new work, what may be aborted is, creates that
 * were sent are awaited. `now` (second signal): return at once, what was sent stays unknown.
 */
export interface StopSignal {
  readonly level: 'run' | 'drain' | 'now';
  /** Calls `listener` after each change of `level`; returns the function that ends that. */
  onChange(listener: () => void): () => void;
}

/** Why a run ended before its work did. After `creates-ended` everything but creates goes on. */
export type StopReason =
  | 'signal'
  | 'deadline'
  | 'fail-fast'
  | 'unavailable'
  | 'unauthorized'
  | 'misconfigured'
  | 'creates-ended'
  | 'cannot-write';

/** Why a node that a stop kept from its end did not get there. */
export const STOPPED: Problem = { summary: 'the run was stopped' };

/** Why a request is left to another run although nothing stopped this one. */
export const MEDIA_IN_FLIGHT: Problem = {
  summary: 'too many posts are being generated',
  detail: 'limits.media_in_flight posts are being generated, and this run does not wait for them',
};
