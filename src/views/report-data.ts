import type { ReportScreens } from './report-screens.ts';

/**
 * What the pages `campaign report` and `campaign ui` show, as plain JSON. The page's own program (`src/page/`) imports these
 * types and nothing that needs Node.js.
 */
export interface ReportData extends ReportScreens {
  readonly format: 1;
  readonly campaign: string;
  readonly environment: string;
  /** The host of the service. */
  readonly service: string;
  /** Names as a person would write them; never an absolute path of a machine. */
  readonly manifest: string;
  readonly decisionsFile: string;
  /** ISO 8601, in UTC. */
  readonly madeAt: string;
  readonly currency: string | null;
  /** Everything that can have a thumbnail; others refer to it by its place in this list. */
  readonly pictures: readonly Picture[];
  /** In the order of the manifest, then what only the state knows. */
  readonly posts: readonly SheetPost[];
  readonly products: readonly SheetProduct[];
  readonly concepts: readonly { readonly key: string; readonly name: string }[];
  /** The numbers of `campaign status`. */
  readonly counts: ReportCounts;
}

export interface Picture {
  readonly sha256: string;
  /** In pixels; 0 where they are not known. */
  readonly width: number;
  readonly height: number;
  /** Of the file, relative to the report, with `/` between the parts and not yet encoded; null where it cannot be opened from there. */
  readonly path: string | null;
  /** Of its thumbnail, where these lie beside the report because they are too many to be in it. */
  readonly thumbnail: string | null;
  /** `other`: a browser shows no such file. */
  readonly kind: 'image' | 'video' | 'other';
  /** What is wrong with the file, in a sentence; there may be a thumbnail from before all the same. */
  readonly problem: string | null;
}

export interface SheetProduct {
  readonly key: string;
  readonly name: string;
  /** Places in `pictures`. */
  readonly photos: readonly number[];
}

/** The words of `campaign status`. */
export type SheetStatus =
  | 'done'
  | 'pending'
  | 'to_download'
  | 'failed'
  | 'unknown'
  | 'given_up'
  | 'missing'
  | 'blocked';

export interface SheetPost {
  readonly address: string;
  /** The key of its post plan. */
  readonly plan: string;
  /** Keys of the first product that it shows, and of its concept; null for what this campaign does not define. */
  readonly product: string | null;
  readonly concept: string | null;
  /** Keys of the other products that it shows. */
  readonly alsoShows: readonly string[];
  readonly ratio: string;
  readonly type: string;
  readonly status: SheetStatus;
  /** Its inputs have changed since it was made. */
  readonly outOfDate: boolean;
  /** The manifest asks for it now. False: of a past period, surplus, or no longer named. */
  readonly wanted: boolean;
  /** The first of its texts, and the others: in a carousel each is a slide. */
  readonly caption: string;
  readonly alsoSays: readonly string[];
  /** What one such post costs by the prices of the manifest. */
  readonly cost: number | null;
  /** Why it is not done, in one sentence. */
  readonly cause: string | null;
  /** Where it is written: `campaign.yaml:31`. */
  readonly at: string | null;
  /** Newest last. */
  readonly takes: readonly Take[];
}

export interface Take {
  /** The id of the medium at the service: a decision names it. */
  readonly media: string;
  readonly take: number;
  /** When it was generated, ISO 8601. */
  readonly made: string;
  /** Places in `pictures`; a carousel has several. */
  readonly pictures: readonly number[];
  readonly decision: TakeDecision | null;
}

export interface TakeDecision {
  readonly verdict: 'approved' | 'rejected';
  /** As it is written in the file of decisions, unlike other texts, which are made harmless for display. */
  readonly note: string | null;
  readonly by: string | null;
  readonly at: string;
}

/** Of what the manifest asks for. */
export interface ReportCounts {
  readonly posts: number;
  readonly done: number;
  readonly pending: number;
  /** Of the pending ones, those that are generated: only their files are missing. */
  readonly to_download: number;
  readonly failed: number;
  readonly unknown: number;
  readonly given_up: number;
  readonly missing: number;
  readonly blocked: number;
  readonly outdated: number;
  readonly approved: number;
  readonly rejected: number;
  readonly undecided: number;
  readonly files_missing: number;
}
