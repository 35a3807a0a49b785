import { compactLog } from './compact.ts';
import { createErroredLog } from './errored-log.ts';
import type { LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import type { Lock } from './lock.ts';
import { type LogWriter, ReplacedError } from './log-writer.ts';
import type { WritableState, WriteOptions } from './open-options.ts';
import { opening } from './opening.ts';
import type { ChainEnd } from './record.ts';
import { StateRecorder } from './recorder.ts';
import type { StateProblem } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

interface Session {
  readonly paths: StatePaths;
  readonly options: WriteOptions;
  readonly lock: Lock;
  readonly header: LogHeader;
  readonly diverged: StateProblem | undefined;
  readonly writer: LogWriter;
  readonly warnings: readonly string[];
}

/** A log that is open and locked, as its one writer uses it. */
export function createWriteSession(
  loaded: LoadedLog,
  { paths, options, lock, header, diverged, writer, warnings }: Session,
): WritableState {
  const { runId: run, begin, clock, tellErrored = () => undefined } = options;
  const { state, runs } = loaded;
  let isChanged = false;
  const recorder = new StateRecorder(writer, state, {
    begin,
    errored: createErroredLog(paths.errored(run), { header, run }, tellErrored),
    recorded(events, { seq, crc }) {
      isChanged = true;
      for (const event of events) runs.add({ seq, run, event }, crc);
    },
  });

  /** Where the log ends that the next run finds; undefined where nobody knows which one that is. */
  async function endOfCompacted(): Promise<ChainEnd | undefined> {
    const { end } = writer;
    if (!end) return undefined;
    const at = new Date(clock.now()).toISOString();
    let isUntouched = true;
    const verify = async () => {
      await writer.verify();
      isUntouched = false;
    };
    try {
      const compaction = { paths, header, end, state, runs: runs.list(), run, at, verify };
      return (await compactLog(compaction)) ?? end.chain;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The old log is whole, and the next run tries again; but a rename that failed may have happened.
      return isUntouched ? end.chain : undefined;
    }
  }

  return {
    ...opening(loaded, writer.end?.chain),
    header,
    diverged,
    warnings,
    recorder,
    async close(how) {
      try {
        await recorder.flush();
        const isDue = isChanged && how === 'compact';
        await rememberEnd(lock, header, isDue ? await endOfCompacted() : writer.end?.chain);
      } finally {
        await recorder.close();
        await lock.release();
      }
    },
  };
}

/** Only what is durable is remembered; after an error nobody knows where the log ends. */
export async function rememberEnd(
  lock: Lock,
  { lineage }: LogHeader,
  end: ChainEnd | undefined,
): Promise<void> {
  const { memory } = lock;
  const isKnown =
    memory?.lineage === lineage && memory.last?.seq === end?.seq && memory.last?.crc === end?.crc;
  if (end && !isKnown) await lock.remember(lineage, end);
}

/** The disk, or a log that was replaced. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || error instanceof ReplacedError);
}
