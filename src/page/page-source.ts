import type { ReportData } from '../views/report-data.ts';
import type { DecisionChange } from './unwritten.ts';

/** Where a page gets its pictures, and where its decisions go: all that differs between a report and the live page. */
export interface PageSource {
  /**
   * The address of a thumbnail for `<img src>`; null where there is none. `index` is a place in `data.pictures`. What is known
   * already is told at once, so that a picture is drawn together with its tile.
   */
  thumbnail(index: number): string | null | Promise<string | null>;
  /** Addresses of the whole picture or video, the best one first; the next one is for where that cannot be loaded. */
  full(index: number): Promise<readonly string[]>;
  readonly decisions: DecisionsPort;
  /** Tells what changes while the page is open, until the function that it gives is called. A report has none. */
  readonly follow?: (follower: Follower) => () => void;
}

/**
 * `export`: the person saves a file. `save`: the page hands over each change, one call after the other, and is told in words why
 * it could not be written; what was not is handed over again with the next change.
 */
export type DecisionsPort =
  | { readonly type: 'export' }
  | {
      readonly type: 'save';
      readonly save: (changes: readonly DecisionChange[]) => Promise<string | undefined>;
    };

export interface Follower {
  /** Everything anew; what the person did on the page stays. */
  readonly data: (data: ReportData) => void;
  /** A sentence that stays on the page, for example that the connection is lost; null takes it away. */
  readonly notice: (text: string | null) => void;
}
