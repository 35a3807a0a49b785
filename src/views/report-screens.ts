/** What the screens of a page show besides its pictures; a part of `ReportData`. */
import type { Change } from './changes.ts';
import type { CostTable } from './cost-table.ts';
import type { FailureCause } from './failure-causes.ts';
import type { ReportSummary } from './report-summary.ts';
import type { RunTimeline } from './run-timeline.ts';

export interface ReportScreens {
  readonly summary: ReportSummary;
  readonly failures: readonly FailureCause[];
  readonly cost: CostTable;
  /** The newest first; older ones than the last ten are in `campaign history`. */
  readonly runs: readonly RunTimeline[];
  /** Since the oldest of these runs began, the latest first. */
  readonly changes: readonly Change[];
  /** Verdicts about media that the state has no more. */
  readonly goneDecisions: readonly GoneDecision[];
  /** Null where it could not be drawn. */
  readonly graph: GraphImage | null;
}

export interface GraphImage {
  /** The SVG of `campaign graph --status`, shown as a picture: nothing in it runs, and it loads nothing. */
  readonly svg: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The same in words, for those who cannot see it. */
  readonly boxes: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** What is drawn together, in words. */
  readonly together: readonly string[];
}

/** A verdict about a medium that the state has no more. */
export interface GoneDecision {
  readonly media: string;
  /** Of its post, as the file names it. */
  readonly address: string;
  readonly verdict: 'approved' | 'rejected';
  readonly note: string | null;
  readonly by: string | null;
  /** ISO 8601; empty where the file does not say it. */
  readonly at: string;
}
