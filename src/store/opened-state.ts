import { countNodes, type FoldState, orderState } from '../log/fold-state.ts';
import type { RecordPlace } from '../log/log-record.ts';
import type { RunSummaries } from '../log/run-summaries.ts';
import type { OpenState, StateHeader } from './store.ts';

interface Log {
  readonly state: FoldState;
  readonly runs: RunSummaries;
  /** Absent where there is no log yet. */
  readonly header: StateHeader | undefined;
}

/** The members that every opened state has. */
export function openedState(
  { state, runs, header }: Log,
  { seq, crc }: RecordPlace,
): Omit<OpenState, 'diverged' | 'warnings'> {
  orderState(state);
  const list = runs.list();
  const last = list.at(-1);
  return {
    state,
    header,
    version: header ? `${header.lineage}:${seq}:${crc}` : '',
    seq,
    runs: list,
    unended: last?.end ? undefined : last,
    known: countNodes(state),
  };
}
