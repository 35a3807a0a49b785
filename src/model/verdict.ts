/** What people have decided about finished posts (schemas/decisions.schema.json). */
import { idKey } from '../util/id-key.ts';
import type { SourceRef } from './source.ts';

export interface Verdict {
  readonly verdict: 'approved' | 'rejected';
  readonly note?: string;
  /** The address of its post, as the file names it. */
  readonly post?: string;
  /** Who decided it, and when (ISO 8601), where the file says so. */
  readonly by?: string;
  readonly at?: string;
  /** Its line in the file of decisions. */
  readonly source: SourceRef;
}

/**
 * Whether what was decided at `one` came after what was decided at `other`. Unknown, and so no, where a time is missing: then
 * the order in the file counts. A merge in git may put the lines into any order.
 */
export function isDecidedLater(one: string | undefined, other: string | undefined): boolean {
  return Date.parse(one ?? '') > Date.parse(other ?? '');
}

/** The last verdict about each medium, by the key (`idKey`) of the medium's id at the service. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export function verdictAbout(media: string, verdicts: Verdicts): Verdict | undefined {
  return verdicts.size === 0 ? undefined : verdicts.get(idKey(media));
}

export const NO_VERDICTS: Verdicts = new Map();
