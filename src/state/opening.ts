import { countNodes } from './list-state.ts';
import type { LoadedLog } from './load-log.ts';
import type { LogTrace } from './log-memory.ts';
import type { OpenState } from './open-options.ts';

/** What every opened state says about its log; `chain` is where the log ends. */
export function opening(
  { state, runs, header, reading }: LoadedLog,
  chain = reading.chain,
): Omit<OpenState, 'close' | 'diverged' | 'warnings'> {
  return {
    state,
    header,
    version: header ? `${header.lineage}:${chain.seq}:${chain.crc}` : '',
    seq: chain.seq,
    runs: runs.list(),
    known: countNodes(state),
  };
}

/** What shows whether a log goes on from the record that is remembered. */
export function traceOf({ header, reading: { chain }, crcAt, runs }: LoadedLog): LogTrace | undefined {
  if (!header) return undefined;
  const { lineage, seq, last } = header;
  return { lineage, base: { seq, crc: last }, end: chain, crcAt, runs: runs.list() };
}
