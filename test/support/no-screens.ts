import { emptyState } from '../../src/log/fold.ts';
import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { costTable } from '../../src/views/cost-table.ts';
import type { ReportScreens } from '../../src/views/report-screens.ts';

/** For tests of what stands beside the screens. */
export const NO_SCREENS: ReportScreens = {
  summary: { plans: [], settled: [], budget: [], running: null, next: [] },
  failures: [],
  cost: costTable(emptyState(), { prices: {}, verdicts: NO_VERDICTS, limits: [] }),
  runs: [],
  changes: [],
  goneDecisions: [],
  graph: null,
};
