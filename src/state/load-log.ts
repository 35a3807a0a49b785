import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '../util/result.ts';
import { emptyState, fold } from './fold.ts';
import type { FoldState } from './fold-state.ts';
import type { LogIdentity } from './header.ts';
import { readLog, type LogReading } from './read-log.ts';
import { summariseRun, type RunSummary } from './run-summary.ts';
import { damaged, foreign, newerFormat, type StateProblem } from './state-problem.ts';

/** What a log holds. */
export interface LoadedLog {
  readonly reading: Extract<LogReading, { type: 'read' }>;
  readonly state: FoldState;
  readonly runs: ReadonlyMap<string, RunSummary>;
}

/** Reads and folds an open log, and refuses one that is damaged, too new or somebody else's. */
export async function loadLog(
  handle: FileHandle,
  { file, identity }: { readonly file: string; readonly identity: LogIdentity },
): Promise<Result<LoadedLog, StateProblem>> {
  const state = emptyState();
  const runs = new Map<string, RunSummary>();
  const reading = await readLog(handle, (record) => {
    fold(state, record.event);
    summariseRun(runs, record);
  });
  switch (reading.type) {
    case 'damaged':
      return err(damaged(file, reading));
    case 'newer':
      return err(newerFormat(file, reading.format));
    case 'read': {
      const problem = reading.header && foreign(file, reading.header, identity);
      return problem ? err(problem) : ok({ reading, state, runs });
    }
  }
}
