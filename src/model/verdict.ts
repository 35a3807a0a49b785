/** What people have decided about finished posts (schemas/decisions.schema.json). */
import type { SourceRef } from './source.ts';

export interface Verdict {
  readonly verdict: 'approved' | 'rejected';
  readonly note?: string;
  /** Its line in the file of decisions. */
  readonly source: SourceRef;
}

/** The last verdict about each medium, by the medium's id at the service. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export const NO_VERDICTS: Verdicts = new Map();
