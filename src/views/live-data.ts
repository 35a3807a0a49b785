/** What `campaign ui` sends to the page: the data of a report, and what it is to know of the moment. */
import type { ReportData } from './report-data.ts';

export interface LiveData {
  readonly report: ReportData;
  /** What works on the campaign now, in words; null where nothing does. */
  readonly running: string | null;
  /** Why `report` is older than its files: a mistake in the manifest, or a state that cannot be read. */
  readonly problem: string | null;
  /** What `campaign status` warns of. */
  readonly warnings: readonly string[];
}

/** One change of a decision, as the page sends it. */
export interface SentDecision {
  readonly media: string;
  /** Null: taken back. */
  readonly decision: { readonly verdict: 'approved' | 'rejected'; readonly note?: string } | null;
  /** What the page knew of the file. */
  readonly seen: 'approved' | 'rejected' | 'undecided';
}

/**
 * The answer: media about which nothing was written, because somebody else has decided otherwise meanwhile, or because the
 * campaign has no such medium.
 */
export interface SavedDecisions {
  readonly left: readonly string[];
}
