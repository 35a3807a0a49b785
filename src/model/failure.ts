import type { Address } from './address.ts';
import type { Problem } from './problem.ts';
import type { SourceRef } from './source.ts';

export interface Failure {
  readonly address: Address;
  /** `skipped`: somebody gave it up, and another node needs it; `gone`: the service has it no more. */
  readonly end: 'failed' | 'rejected' | 'lost' | 'unknown' | 'skipped' | 'gone';
  readonly problem: Problem;
  /** Where the manifest asks for it; absent where it no longer does. */
  readonly source?: SourceRef;
}
