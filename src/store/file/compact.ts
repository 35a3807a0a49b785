/**
 * A log grows with everything that happens, a snapshot only with what exists. At the end of a run, under the lock, a
 * log of more than four times the size of its snapshot is replaced by it. The lineage stays and the numbers go on, so
 * that copies of the log can still be compared; the chain of checksums starts anew.
 */
import type { RunSummary } from '../../model/run-summary.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { FoldState } from '../../log/fold-state.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { encodeRecord } from './record.ts';
import { replaceLog } from './replace-log.ts';
import { snapshotEvents } from '../../log/snapshot.ts';
import type { StatePaths } from './work-folder.ts';

const WORTHWHILE = 4;

interface Compaction {
  readonly paths: StatePaths;
  readonly header: LogHeader;
  readonly end: { readonly chain: RecordPlace; readonly length: number };
  readonly state: FoldState;
  readonly runs: readonly RunSummary[];
  /** Of the run that compacts it. */
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  /** Rejects where the file at the path is not the log that was written. */
  readonly verify: () => Promise<void>;
}

/** Compacts a log if that is worthwhile; returns where the new one ends, undefined if the old one stays. */
export async function compactLog(compaction: Compaction): Promise<RecordPlace | undefined> {
  const { paths, end, verify } = compaction;
  let bytes = 0;
  for (const { line } of linesOf(compaction)) {
    bytes += Buffer.byteLength(line);
    if (bytes * WORTHWHILE >= end.length) return undefined;
  }
  let chain = end.chain;
  const lines = function* () {
    for (const sealed of linesOf(compaction)) {
      chain = sealed.end;
      yield sealed.line;
    }
  };
  await replaceLog(paths, lines(), verify);
  return chain;
}

function* linesOf({ header, end, state, runs, run, at }: Compaction): Generator<{
  line: string;
  end: RecordPlace;
}> {
  const first = encodeHeader(header.lineage, header, end.chain);
  let chain: RecordPlace = { seq: end.chain.seq, crc: first.crc };
  yield { line: first.line, end: chain };
  const events: Iterable<StateEvent> = snapshotEvents(state, runs, at);
  for (const event of events) {
    const sealed = encodeRecord(event, run, chain);
    chain = sealed.end;
    yield sealed;
  }
}
