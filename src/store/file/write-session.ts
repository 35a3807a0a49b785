import { compactLog } from './compact.ts';
import { createErroredLog } from './errored-log.ts';
import type { LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import type { Lock } from './lock.ts';
import { type LogWriter, ReplacedError } from './log-writer.ts';
import type { WritableState } from '../store.ts';
import type { WriteOptions } from './open-options.ts';
import { opening } from './opening.ts';
import type { ChainEnd } from './record.ts';
import { StateRecorder } from './recorder.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { diskProblem } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

interface Session {
  readonly paths: StatePaths;
  readonly options: WriteOptions;
  readonly lock: Lock;
  readonly header: LogHeader;
  readonly diverged: FatalProblem | undefined;
  /** Whether it is settled that this is the state that counts here; else what is recorded first has to settle it. */
  readonly isOurs: boolean;
  readonly writer: LogWriter;
  /** Makes the file of a new log. */
  readonly makeFile: () => Promise<void>;
  /** Notes that the log counts although git's HEAD has another one: what is recorded decides it. */
  readonly settle?: (() => Promise<void>) | undefined;
  readonly warnings: readonly string[];
}

/** A log that is open and locked, as its one writer uses it. */
export function createWriteSession(
  loaded: LoadedLog,
  { paths, options, lock, header, diverged, isOurs, writer, makeFile, settle, warnings }: Session,
): WritableState {
  const { runId: run, begin, clock, tellErrored = () => undefined, beforeRelease } = options;
  const { state, runs } = loaded;
  let isChanged = false;
  const recorder = new StateRecorder(writer, state, {
    begin,
    errored: createErroredLog(paths.errored(run), { header, run, after: () => writer.durable }, tellErrored),
    recorded(events, { seq, crc }) {
      isChanged = true;
      for (const event of events) runs.add({ seq, run, event }, crc);
    },
  });

  /** Where the new log ends; undefined where there is none. */
  async function compacted(): Promise<ChainEnd | undefined> {
    const { end } = writer;
    if (!end) return undefined;
    const at = new Date(clock.now()).toISOString();
    const verify = () => writer.verify();
    const compaction = { paths, header, end, state, runs: runs.list(), run, at, verify };
    // The old log is whole, and the next run tries again; a rename that failed may have happened: both logs know its end.
    return compactLog(compaction).catch(unlessRefused);
  }

  return {
    ...opening(loaded, writer.durable),
    header,
    diverged,
    warnings,
    recorder,
    async begin() {
      try {
        await makeFile();
        return undefined;
      } catch (error) {
        const problem = diskProblem('unwritable', paths.file, error);
        if (!problem) throw error;
        return problem;
      }
    },
    async close(how) {
      try {
        await recorder.flush();
        if (isChanged) await settle?.();
        const renewed = isChanged && how === 'compact' ? await compacted() : undefined;
        // What is recorded is durable: where the disk refuses the memory of it, only a guard is weaker.
        if (isOurs || isChanged) {
          await lock.remember(header.lineage, renewed ?? writer.durable).catch(unlessRefused);
        }
      } finally {
        try {
          await recorder.close();
          if (isChanged) await beforeRelease?.({ lineage: header.lineage, end: writer.durable, lock });
        } finally {
          await lock.release();
        }
      }
    },
  };
}

/** The disk, or a log that was replaced. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Error && ('syscall' in error || error instanceof ReplacedError))) throw error;
}
