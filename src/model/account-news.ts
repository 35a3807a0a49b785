/** What a process finds out about a service, and tells others that use the same account. */
import type { NodeKind } from './kinds.ts';
import type { Problem } from './problem.ts';

/** The service wants no requests of this kind for so long. */
export interface Hold {
  readonly kind: NodeKind;
  readonly problem: Problem;
  readonly ms: number;
}

/** After so many creates in a row without an answer no run that has met them begins another one. */
export const MOST_AMBIGUOUS = 3;

/** So many creates in a row had no answer, and the next one is tried after so long. */
export interface AmbiguousCreates {
  readonly inARow: number;
  readonly ms: number;
}

export interface AccountNews {
  readonly holds: readonly Hold[];
  readonly ambiguous: AmbiguousCreates;
}
