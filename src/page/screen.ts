/** What every screen of the page gets. A screen is one component in a file of its own, listed in `screens.ts`. */
import type { ReportData } from '../views/report-data.ts';
import type { Destination, PageState } from './page-state.ts';
import type { PageSource } from './page-source.ts';
import type { Action } from './reduce.ts';

export interface ScreenProps {
  readonly data: ReportData;
  /** To another screen, or to the contact sheet with a filter. */
  readonly navigate: (to: Destination) => void;
  /** For screens that show what is being decided. */
  readonly state: PageState;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}
