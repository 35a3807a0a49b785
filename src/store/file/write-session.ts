import type { RecordPlace } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { openedState } from '../opened-state.ts';
import { StateRecorder } from '../recorder.ts';
import type { WritableState } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import { compactLog } from './compact.ts';
import type { LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import type { Lock } from './lock.ts';
import type { LogWriter } from './log-writer.ts';
import type { WriteOptions } from './open-options.ts';
import { createSpillFile } from './spill-file.ts';
import { stateDiskProblem } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

interface Session {
  readonly paths: StatePaths;
  readonly options: WriteOptions;
  readonly lock: Lock;
  /** `begin` makes the file of a new log. */
  readonly begun: { readonly header: LogHeader; readonly begin: () => Promise<void> };
  readonly writer: LogWriter;
  readonly split: FatalProblem | undefined;
  /** Whether this is certainly the state that counts here; if not, the first record decides it. */
  readonly isOurs: boolean;
  /** Notes that the log counts although git's HEAD has another one: the first record decides it. */
  readonly settle: (() => Promise<void>) | undefined;
  readonly warnings: readonly string[];
}

/** An open and locked log, for its one writer. */
export function createWriteSession(log: LoadedLog, session: Session): WritableState {
  const { paths, options, begun, writer, split, warnings } = session;
  const { header } = begun;
  const { runId: run, begin, tellSpilled = () => undefined } = options;
  const { state, runs } = log;
  const spill = createSpillFile(paths.spill(run), { header, run, after: () => writer.durable }, tellSpilled);
  const changes = { isChanged: false };
  const recorder = new StateRecorder(writer, state, {
    begin,
    spill: (events, open) => spill.keep(events, open),
    recorded(events, { seq, crc }) {
      changes.isChanged = true;
      for (const event of events) runs.add({ seq, run, event }, crc);
    },
  });
  return {
    ...openedState(log, writer.durable),
    header,
    diverged: split,
    warnings,
    recorder,
    follow: (told) => recorder.follow(told),
    async begin() {
      try {
        await begun.begin();
        return undefined;
      } catch (error) {
        return stateDiskProblem('unwritable', paths.file, error);
      }
    },
    async close(how) {
      try {
        await recorder.flush();
        await settleEnd(log, session, { ...changes, how });
      } finally {
        try {
          await recorder.close();
          await spill.close();
          const { lock } = session;
          if (changes.isChanged)
            await options.beforeRelease?.({ lineage: header.lineage, end: writer.durable, lock });
        } finally {
          await session.lock.release();
        }
      }
    },
  };
}

/** Compacts the log if it was changed, and writes its checkpoint. */
async function settleEnd(
  log: LoadedLog,
  { paths, options, lock, begun: { header }, writer, isOurs, settle }: Session,
  { isChanged, how }: { readonly isChanged: boolean; readonly how: 'compact' | 'as-it-is' | undefined },
): Promise<void> {
  if (isChanged) await settle?.();
  let compacted: RecordPlace | undefined;
  const { end } = writer;
  if (isChanged && how === 'compact' && end) {
    const at = new Date(options.clock.now()).toISOString();
    const { state, runs } = log;
    const verify = () => writer.verify();
    const compaction = { paths, header, end, state, runs: runs.list(), run: options.runId, at, verify };
    // The old log is complete, and the next run tries again. A rename that failed may have happened, but both logs
    // contain the end.
    compacted = await compactLog(compaction).catch(unlessRefused);
  }
  // The records are durable. If the disk refuses the checkpoint, only this check is weaker.
  if (isOurs || isChanged)
    await lock.remember(header.lineage, compacted ?? writer.durable).catch(unlessRefused);
}

/** An error of the disk, or a log that was replaced. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Error && ('syscall' in error || error instanceof ReplacedError))) throw error;
}
