import type { RecordPlace } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { ok } from '../../util/result.ts';
import { StateRecorder } from '../recorder.ts';
import { openedState, type WritableState, type Writing } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import type { KnownHead } from '../known-head.ts';
import type { LogHeader } from './header.ts';
import type { ReadOptions } from './known-log.ts';
import type { LoadedLog } from './load-log.ts';
import type { Lock } from './lock.ts';
import type { LogWriter } from './log-writer.ts';
import { compactLog } from './rewrite-log.ts';
import { createSpillFile } from './spill-file.ts';
import { unlessRefused } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

export interface WriteOptions extends ReadOptions, Writing {
  /** Called for a log with new records, once it is closed and before its lock is free. */
  readonly beforeRelease?: ((closed: Closed) => Promise<void>) | undefined;
}

export interface Closed {
  readonly lineage: string;
  readonly end: RecordPlace;
  readonly lock: Lock;
}

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
  /** Says at the place beside the manifest how far a log elsewhere goes. */
  readonly leave: (head: KnownHead) => Promise<void>;
  readonly warnings: readonly string[];
  readonly mark: string | undefined;
}

/** An open and locked log, for its one writer. */
export function createWriteSession(log: LoadedLog, session: Session): WritableState {
  const { paths, options, lock, begun, writer, split, warnings, mark } = session;
  const { header } = begun;
  const { runId: run, begin, tellSpilled = () => undefined } = options;
  const { state, runs } = log;
  const spill = createSpillFile(paths.spill(run), { header, run, after: () => writer.durable }, tellSpilled);
  let isChanged = false;
  let { boundAt = '' } = log;
  const recorder = new StateRecorder(writer, state, {
    begin,
    spill: async (events, open) => ({ keptIn: await spill.keep(events, open) }),
    recorded(events, { seq, crc }) {
      isChanged = true;
      for (const event of events) {
        runs.add({ seq, run, event }, crc);
        if (event.type === 'rebound') boundAt = event.at;
      }
    },
  });
  const opened = openedState(log, writer.durable);
  return {
    ...opened,
    header,
    diverged: split,
    warnings,
    mark: opened.unended ? undefined : mark,
    recorder,
    follow: (told) => recorder.follow(told),
    async begin() {
      const done = await unlessRefused('unwritable', paths.file, async () => ok(await begun.begin()));
      return done.ok ? undefined : done.error;
    },
    async close(how) {
      try {
        await recorder.flush();
        await settleEnd(log, session, { isChanged, how, boundAt });
      } finally {
        try {
          await recorder.close();
          await spill.close();
          if (isChanged)
            await options.beforeRelease?.({ lineage: header.lineage, end: writer.durable, lock });
        } finally {
          await lock.release();
        }
      }
    },
  };
}

/** Compacts the log if it was changed, and writes its checkpoint. */
async function settleEnd(
  log: LoadedLog,
  session: Session,
  {
    isChanged,
    how,
    boundAt,
  }: {
    readonly isChanged: boolean;
    readonly how: 'compact' | 'as-it-is' | undefined;
    readonly boundAt: string;
  },
): Promise<void> {
  const { lock, begun, writer, isOurs, settle } = session;
  if (isChanged) await settle?.();
  let compacted: RecordPlace | undefined;
  // The old log is complete, and the next run tries again. A rename that failed may have happened, but both logs
  // contain the end.
  if (isChanged && how === 'compact') compacted = await compact(log, session).catch(unlessBug);
  // The records are durable. If the disk refuses the checkpoint, only this check is weaker.
  if (!isOurs && !isChanged) return;
  const { lineage } = begun.header;
  const last = compacted ?? writer.durable;
  await lock.remember(lineage, last).catch(unlessBug);
  await session.leave({ lineage, last, boundAt });
}

const WORTHWHILE = 4;

/** Makes a log shorter where that is worth it. Returns where the new log ends, undefined where the old one stays. */
function compact(log: LoadedLog, session: Session): Promise<RecordPlace | undefined> {
  const { writer, options, paths, begun } = session;
  const { clock, runId: run } = options;
  const at = new Date(clock.now()).toISOString();
  const most = Math.ceil((writer.end?.length ?? 0) / WORTHWHILE);
  return compactLog(log, { paths, header: begun.header, writer, run, at, most });
}

/** Takes an error of the disk, or a log that was replaced. */
function unlessBug(error: unknown): undefined {
  if (!(error instanceof Error && ('syscall' in error || error instanceof ReplacedError))) throw error;
}
