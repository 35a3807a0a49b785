import type { FileHandle } from 'node:fs/promises';
import { emptyState, fold } from '../../log/fold.ts';
import type { FoldState } from '../../log/fold-state.ts';
import type { LogRecord } from '../../log/log-record.ts';
import { createRunSummaries, type RunSummaries } from '../../log/run-summaries.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { StateIdentity } from '../store.ts';
import { type Checkpoint, type Divergence, divergenceOf } from './checkpoint.ts';
import type { LogHeader } from './header.ts';
import { readLog, type LogReading } from './read-log.ts';
import { damaged, movedAway, newer } from './state-problem.ts';

export interface LoadedLog {
  /** Whether there is a file; it may lack even a header. */
  readonly isThere: boolean;
  readonly reading: Extract<LogReading, { type: 'read' }>;
  /** From the first line, or what the state was bound to since. */
  readonly header: LogHeader | undefined;
  readonly state: FoldState;
  readonly runs: RunSummaries;
  /** Checksums of the records that checkpoints name, by number, where the log has them. */
  readonly crcs: ReadonlyMap<number, number>;
  /** When somebody last decided that this copy counts; ISO 8601. */
  readonly boundAt: string | undefined;
}

interface LoadOptions {
  readonly file: string;
  readonly checkpoints: readonly (Checkpoint | undefined)[];
  readonly visit?: ((record: LogRecord) => void) | undefined;
}

/** Reads and folds an open log; refuses one that is damaged or too new. Without a file it is an empty log. */
export async function loadLog(
  handle: Pick<FileHandle, 'read'> | undefined,
  { file, checkpoints, visit }: LoadOptions,
): Promise<Result<LoadedLog, FatalProblem>> {
  const state = emptyState();
  const runs = createRunSummaries();
  const wanted = new Set(checkpoints.map((checkpoint) => checkpoint?.last?.seq));
  const crcs = new Map<number, number>();
  let bound: StateIdentity | undefined;
  let boundAt: string | undefined;
  const reading = await readLog(handle ?? NOTHING, (record, crc) => {
    const { event, seq } = record;
    fold(state, event);
    runs.add(record, crc);
    if (wanted.has(seq)) crcs.set(seq, crc);
    if (event.type === 'rebound') {
      bound = { campaign: event.campaign, environment: event.environment, baseUrl: event.base_url };
      boundAt = event.at;
    }
    visit?.(record);
  });
  if (reading.type === 'damaged') return err(damaged(file, reading));
  if (reading.type === 'newer') return err(newer(file, reading));
  const header = reading.header && { ...reading.header, ...bound };
  if (header?.movedTo !== undefined) return err(movedAway(file, header.movedTo));
  return ok({ isThere: handle !== undefined, reading, header, state, runs, crcs, boundAt });
}

const NOTHING = { read: () => Promise.resolve({ bytesRead: 0 }) } as unknown as Pick<FileHandle, 'read'>;

/** How a log differs from its checkpoint; undefined where it continues from it, or where there is no log. */
export function divergenceFrom(
  { header, reading: { chain }, crcs, runs }: LoadedLog,
  checkpoint: Checkpoint,
): Divergence | undefined {
  if (!header) return undefined;
  const { lineage, seq, last } = header;
  const crcAt = crcs.get(checkpoint.last?.seq ?? 0);
  const base = { seq, crc: last };
  return divergenceOf(checkpoint, { lineage, base, end: chain, crcAt, runs: runs.list() });
}
