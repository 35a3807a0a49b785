import type { Problem } from '../model/problem.ts';

/**
 * How far the run has to stop. `drain` (first signal): no new work, abortable requests are aborted, creates that were
 * sent are awaited. `now` (second signal): return at once; what was sent without an answer is unknown.
 */
export interface StopSignal {
  readonly level: 'run' | 'drain' | 'now';
  /** Calls `listener` after each change of `level`, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Why a run ended before its work was done. After `creates-ended` everything but creates goes on. */
export type StopReason =
  | 'signal'
  | 'deadline'
  | 'fail-fast'
  | 'unavailable'
  | 'unauthorized'
  | 'misconfigured'
  | 'creates-ended'
  | 'cannot-write';

/** The problem of a node that a stop kept from its end. */
export const STOPPED: Problem = { summary: 'the run was stopped' };

/** Why a request is left to another run although nothing stopped this one. */
export const MEDIA_IN_FLIGHT: Problem = {
  summary: 'too many posts are being generated',
  detail: 'limits.media_in_flight posts are being generated, and this run does not wait for them',
};
