import type { RunSummary } from '../../model/run-summary.ts';
import { countNodes } from '../../log/count-nodes.ts';
import type { LoadedLog } from './load-log.ts';
import { type Divergence, divergenceOf, type LogMemory } from './log-memory.ts';
import type { OpenState } from '../store.ts';
import { orderState } from '../../log/order-state.ts';

/** What every opened state says about its log; `chain` is where the log ends. */
export function opening(
  { state, runs, header, reading }: LoadedLog,
  chain = reading.chain,
): Omit<OpenState, 'diverged' | 'warnings'> {
  orderState(state);
  return {
    state,
    header,
    version: header ? `${header.lineage}:${chain.seq}:${chain.crc}` : '',
    seq: chain.seq,
    runs: runs.list(),
    unended: unendedRun(runs.list()),
    known: countNodes(state),
  };
}

function unendedRun(runs: readonly RunSummary[]): RunSummary | undefined {
  const last = runs.at(-1);
  return last?.end ? undefined : last;
}

/** How a log differs from what is remembered of it, by the lock file or by a run that could not write it any more. */
export function divergenceFrom(
  { header, reading: { chain }, crcs, runs }: LoadedLog,
  memory: LogMemory,
): Divergence | undefined {
  if (!header) return undefined;
  const { lineage, seq, last } = header;
  const crcAt = crcs.get(memory.last?.seq ?? 0);
  return divergenceOf(memory, { lineage, base: { seq, crc: last }, end: chain, crcAt, runs: runs.list() });
}
