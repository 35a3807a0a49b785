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
  | 'creates-ended'
  | 'cannot-write';
