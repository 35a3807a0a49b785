import type { ComponentType } from 'preact';
import type { ScreenName } from './page-state.ts';
import type { ScreenProps } from './screen.ts';
import { ChangesScreen } from './screens/changes.tsx';
import { CostScreen } from './screens/cost.tsx';
import { CoverageScreen } from './screens/coverage.tsx';
import { DecisionsScreen } from './screens/decisions.tsx';
import { FailuresScreen } from './screens/failures.tsx';
import { GraphScreen } from './screens/graph.tsx';
import { SummaryScreen } from './screens/summary.tsx';
import { TimelineScreen } from './screens/timeline.tsx';
import { SheetScreen } from './sheet-screen.tsx';

/** The screens as they stand in the navigation. */
export const SCREEN_LIST: readonly {
  readonly name: ScreenName;
  readonly title: string;
  readonly Screen: ComponentType<ScreenProps>;
}[] = [
  { name: 'sheet', title: 'Sheet', Screen: SheetScreen },
  { name: 'summary', title: 'Summary', Screen: SummaryScreen },
  { name: 'coverage', title: 'Coverage', Screen: CoverageScreen },
  { name: 'failures', title: 'Failures', Screen: FailuresScreen },
  { name: 'changes', title: 'Changes', Screen: ChangesScreen },
  { name: 'decisions', title: 'Decisions', Screen: DecisionsScreen },
  { name: 'cost', title: 'Cost', Screen: CostScreen },
  { name: 'timeline', title: 'Timeline', Screen: TimelineScreen },
  { name: 'graph', title: 'Graph', Screen: GraphScreen },
];
