import type { RecordPlace } from '../../log/log-record.ts';
import { snapshotEvents } from '../../log/snapshot.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { ok } from '../../util/result.ts';
import { StateRecorder } from '../recorder.ts';
import { openedState, type WritableState, type Writing } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { ReadOptions } from './known-log.ts';
import type { LoadedLog } from './load-log.ts';
import type { Lock } from './lock.ts';
import type { LogWriter } from './log-writer.ts';
import { encodeRecord } from './record.ts';
import { replaceLog } from './replace-log.ts';
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
  const recorder = new StateRecorder(writer, state, {
    begin,
    spill: (events, open) => spill.keep(events, open),
    recorded(events, { seq, crc }) {
      isChanged = true;
      for (const event of events) runs.add({ seq, run, event }, crc);
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
        await settleEnd(log, session, { isChanged, how });
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
  { isChanged, how }: { readonly isChanged: boolean; readonly how: 'compact' | 'as-it-is' | undefined },
): Promise<void> {
  const { lock, begun, writer, isOurs, settle } = session;
  if (isChanged) await settle?.();
  let compacted: RecordPlace | undefined;
  // The old log is complete, and the next run tries again. A rename that failed may have happened, but both logs
  // contain the end.
  if (isChanged && how === 'compact') compacted = await compact(log, session).catch(unlessBug);
  // The records are durable. If the disk refuses the checkpoint, only this check is weaker.
  if (isOurs || isChanged)
    await lock.remember(begun.header.lineage, compacted ?? writer.durable).catch(unlessBug);
}

const WORTHWHILE = 4;

/**
 * Replaces a log by its snapshot where that is much shorter. The lineage stays and the numbers go on, so that copies of
 * the log can still be compared. Returns where the new log ends, undefined where the old one stays.
 */
async function compact(
  { state, runs }: LoadedLog,
  { paths, options, begun: { header }, writer }: Session,
): Promise<RecordPlace | undefined> {
  const { end } = writer;
  if (!end) return undefined;
  const at = new Date(options.clock.now()).toISOString();
  const { line, crc } = encodeHeader(header.lineage, header, end.chain);
  const lines = [line];
  let chain: RecordPlace = { seq: end.chain.seq, crc };
  let bytes = Buffer.byteLength(line);
  for (const event of snapshotEvents(state, runs.list(), at)) {
    const sealed = encodeRecord(event, options.runId, chain);
    chain = sealed.end;
    lines.push(sealed.line);
    bytes += Buffer.byteLength(sealed.line);
    if (bytes * WORTHWHILE >= end.length) return undefined;
  }
  await replaceLog(paths, lines, () => writer.verify());
  return chain;
}

/** Takes an error of the disk, or a log that was replaced. */
function unlessBug(error: unknown): undefined {
  if (!(error instanceof Error && ('syscall' in error || error instanceof ReplacedError))) throw error;
}
