import type { FileHandle } from 'node:fs/promises';
import { emptyState, fold } from '../../log/fold.ts';
import type { FoldState } from '../../log/fold-state.ts';
import { createRunSummaries, type RunSummaries } from '../../log/run-summaries.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { StateIdentity, Visit } from '../store.ts';
import { type Checkpoint, type Divergence, divergenceOf } from './checkpoint.ts';
import type { LogHeader } from './header.ts';
import { createLogReader, type LogReading } from './read-log.ts';
import { damaged, movedAway, newer } from './state-problem.ts';

export interface LoadedLog {
  /** Whether there is a file; it may lack even a header. */
  readonly isThere: boolean;
  readonly reading: Extract<LogReading, { type: 'read' }>;
  /** From the first line, or what the state was bound to since. */
  readonly header: LogHeader | undefined;
  readonly state: FoldState;
  readonly runs: RunSummaries;
  /** Checksum of the record with this number, where the log has it. */
  readonly crcAt: (seq: number) => number | undefined;
  /** When somebody last decided that this copy counts; ISO 8601. */
  readonly boundAt: string | undefined;
}

interface LoadOptions {
  readonly file: string;
  readonly visit?: Visit | undefined;
}

type Handle = Pick<FileHandle, 'read'> | undefined;

/** Reads and folds an open log; refuses one that is damaged or too new. Without a file it is an empty log. */
export function loadLog(handle: Handle, options: LoadOptions): Promise<Result<LoadedLog, FatalProblem>> {
  return createLogLoader(options)(handle);
}

/** Reads and folds a log, and when it is called again what was added since, as `createLogReader` does. */
export function createLogLoader({ file, visit }: LoadOptions) {
  const state = emptyState();
  const runs = createRunSummaries();
  const crcs: number[] = [];
  let bound: StateIdentity | undefined;
  let boundAt: string | undefined;
  const read = createLogReader((record, crc) => {
    const { event } = record;
    fold(state, event);
    runs.add(record, crc);
    crcs.push(crc);
    if (event.type === 'rebound') {
      bound = { campaign: event.campaign, environment: event.environment, baseUrl: event.base_url };
      boundAt = event.at;
    }
    visit?.(record);
  });
  return async (handle: Handle): Promise<Result<LoadedLog, FatalProblem>> => {
    const reading = await read(handle ?? NOTHING);
    if (reading.type === 'damaged') return err(damaged(file, reading));
    if (reading.type === 'newer') return err(newer(file, reading));
    const header = reading.header && { ...reading.header, ...bound };
    if (header?.movedTo !== undefined) return err(movedAway(file, header.movedTo));
    const first = (header?.seq ?? 0) + 1;
    const crcAt = (seq: number) => crcs[seq - first];
    return ok({ isThere: handle !== undefined, reading, header, state, runs, crcAt, boundAt });
  };
}

const NOTHING = { read: () => Promise.resolve({ bytesRead: 0 }) } as unknown as Pick<FileHandle, 'read'>;

/**
 * How a log differs from its checkpoint; undefined where it continues from it, where somebody has decided since then that it
 * counts, or where there is no log.
 */
export function divergenceFrom(
  { header, reading: { chain }, crcAt, runs, boundAt = '' }: LoadedLog,
  checkpoint: Checkpoint,
): Divergence | undefined {
  if (!header) return undefined;
  const { boundAt: before } = checkpoint;
  if (before !== undefined && boundAt > before && checkpoint.lineage === header.lineage) return undefined;
  const { lineage, seq, last } = header;
  const base = { seq, crc: last };
  const crc = crcAt(checkpoint.last?.seq ?? 0);
  return divergenceOf(checkpoint, { lineage, base, end: chain, crcAt: crc, runs: runs.list() });
}
