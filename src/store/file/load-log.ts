import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '../../util/result.ts';
import { emptyState, fold } from '../../log/fold.ts';
import type { FoldState } from '../../log/fold-state.ts';
import type { LogHeader } from './header.ts';
import type { StateIdentity } from '../store.ts';
import type { LogMemory } from './log-memory.ts';
import { countNodes } from '../../log/count-nodes.ts';
import { readLog, type LogReading } from './read-log.ts';
import { type LogRecord } from '../../log/log-record.ts';
import { createRunSummaries, type RunSummaries } from '../../log/run-summaries.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { damaged, foreign, newer } from './state-problem.ts';

/** What a log holds. */
export interface LoadedLog {
  readonly reading: Extract<LogReading, { type: 'read' }>;
  /** As the first line says it, or what the state was bound to since. */
  readonly header: LogHeader | undefined;
  readonly state: FoldState;
  readonly runs: RunSummaries;
  /** Checksums of the records that are remembered, by number, where the log has them. */
  readonly crcs: ReadonlyMap<number, number>;
  /** When somebody said last that this copy counts; ISO 8601. */
  readonly boundAt: string | undefined;
}

interface LoadOptions {
  /** For messages. */
  readonly file: string;
  /** What the log has to belong to; anything where it is left out. */
  readonly identity?: StateIdentity | undefined;
  readonly memories?: readonly (LogMemory | undefined)[];
  readonly visit?: ((record: LogRecord) => void) | undefined;
}

/** What there is where there is no log. */
export function noLog(): LoadedLog {
  return {
    reading: {
      type: 'read',
      header: undefined,
      chain: { seq: 0, crc: 0 },
      end: 0,
      size: 0,
      newlineMissing: false,
    },
    header: undefined,
    state: emptyState(),
    runs: createRunSummaries(),
    crcs: new Map(),
    boundAt: undefined,
  };
}

/** Reads and folds an open log, and refuses one that is damaged, too new or somebody else's. */
export async function loadLog(
  handle: Pick<FileHandle, 'read'>,
  { file, identity, memories = [], visit }: LoadOptions,
): Promise<Result<LoadedLog, FatalProblem>> {
  const state = emptyState();
  const runs = createRunSummaries();
  const remembered = new Set(memories.map((memory) => memory?.last?.seq));
  const crcs = new Map<number, number>();
  let bound: StateIdentity | undefined;
  let boundAt: string | undefined;
  const reading = await readLog(handle, (record, crc) => {
    const { event, seq } = record;
    fold(state, event);
    runs.add(record, crc);
    if (remembered.has(seq)) crcs.set(seq, crc);
    if (event.type === 'rebound') {
      bound = { campaign: event.campaign, environment: event.environment, baseUrl: event.base_url };
      boundAt = event.at;
    }
    visit?.(record);
  });
  switch (reading.type) {
    case 'damaged':
      return err(damaged(file, reading));
    case 'newer':
      return err(newer(file, reading));
    case 'read': {
      const header = reading.header && { ...reading.header, ...bound };
      const problem = header && identity && foreign(file, header, { identity, known: countNodes(state) });
      return problem ? err(problem) : ok({ reading, header, state, runs, crcs, boundAt });
    }
  }
}
