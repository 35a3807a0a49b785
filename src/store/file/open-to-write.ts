/**
 * Opens a state for its one writer, in this order: take the lock; read the log; check that it is the one that counts;
 * repair an unfinished end, or prepare a new log; import what an earlier run could not write. The file of a new log is
 * made with its first event.
 */
import type { FileHandle } from 'node:fs/promises';
import { countNodes } from '../../log/fold-state.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { KnownHead } from '../known-head.ts';
import type { WritableState } from '../store.ts';
import { settleCommitted, unreadWarnings } from './committed.ts';
import { createSieve, importSpill, lackingOf, whyUnreadable } from './import-spill.ts';
import { keepAside } from './keep-aside.ts';
import { ANEW, findSplit, type KnownLog, lookAround, spilledOf, whyNotNew } from './known-log.ts';
import { loadLog, type LoadedLog } from './load-log.ts';
import { acquireLock, type Lock } from './lock.ts';
import { logFileOf, LogWriter } from './log-writer.ts';
import { markOf } from './mark.ts';
import { newLog } from './start-log.ts';
import { openStateFile } from './state-file.ts';
import { foreign, isUnseen, unlessRefused } from './state-problem.ts';
import { type StatePaths, statePaths } from './work-folder.ts';
import { pointTo } from './pointer.ts';
import { createWriteSession, type WriteOptions } from './write-session.ts';

export function openToWrite(options: WriteOptions): Promise<Result<WritableState, FatalProblem>> {
  const paths = statePaths(options.stateFile);
  return unlessRefused('unwritable', paths.file, async () => {
    const taken: Taken = {};
    let opened: Result<WritableState, FatalProblem> | undefined;
    try {
      opened = await open(paths, options, taken);
      return opened;
    } finally {
      if (!opened?.ok) {
        await taken.handle?.close();
        await taken.lock?.release();
      }
    }
  });
}

interface Taken {
  lock?: Lock;
  handle?: FileHandle | undefined;
}

async function open(
  paths: StatePaths,
  options: WriteOptions,
  taken: Taken,
): Promise<Result<WritableState, FatalProblem>> {
  const locked = await acquireLock(paths, options);
  if (!locked.ok) return locked;
  const lock = locked.value;
  taken.lock = lock;

  const known = await lookAround(paths, options, lock.checkpoint);
  const file = await openStateFile(paths.file, 'write');
  if (!file.ok) return file;
  const handle = file.value;
  taken.handle = handle;
  const sieve = createSieve(known.spilled);
  const read = await loadLog(handle, { file: paths.file, visit: sieve.show });
  if (!read.ok) return read;
  const log = read.value;

  const checked = await check(log, known, options);
  if (!checked.ok) return checked;
  const { split, isOurs, waiting } = checked.value;

  const { header } = log;
  const begun =
    handle && header
      ? { header, ...(await repair(handle, log, { paths, run: options.runId })) }
      : { warnings: [], ...(await prepare(handle, { known, options, lock })) };
  const { lineage } = begun.header;
  const writer = new LogWriter(begun.file, { run: options.runId, ...begun }, (end) =>
    lock.note(lineage, end),
  );

  const { beside } = options;
  const leave = async (head: KnownHead) => {
    const named = { file: paths.file, header: begun.header, head };
    if (beside) await pointTo(beside, named, { ...options, isNew: false });
  };
  const warnings = [...checked.value.warnings, ...begun.warnings, ...unreadWarnings(known.committed)];
  for (const spill of waiting)
    warnings.push(
      await importSpill(spill, lackingOf(spill, sieve, log), {
        log,
        writer,
        paths,
        run: options.runId,
      }),
    );
  if (isOurs) {
    await lock.remember(lineage, writer.durable);
    await leave({ lineage, last: writer.durable, boundAt: log.boundAt ?? '' });
  }
  const { committed } = known;
  const isContested = !header || split !== undefined;
  const settle =
    isContested && committed.type === 'log' ? () => settleCommitted(paths, committed) : undefined;
  const checkpoint = { lineage, last: writer.durable };
  const mark = isOurs && warnings.length === 0 ? markOf({ ...known, checkpoint }, log.reading) : undefined;
  return ok(
    createWriteSession(log, {
      paths,
      options,
      lock,
      begun,
      writer,
      split,
      isOurs,
      settle,
      leave,
      warnings,
      mark,
    }),
  );
}

/** What is wrong and allowed all the same, and the spill files that may be imported: only if this log surely counts. */
async function check(log: LoadedLog, known: KnownLog, { allow = [] }: WriteOptions) {
  const { header, state } = log;
  if (!header) {
    const { problem, warnings } = allow.includes('vanished') ? ANEW : await whyNotNew(log, known);
    return problem ? err(problem) : ok({ split: undefined, isOurs: false, waiting: [], warnings });
  }
  const { paths, identity } = known;
  const other = foreign(paths.file, header, { identity, known: countNodes(state) });
  if (other && !allow.includes('foreign')) return err(other);
  const split = await findSplit(log, known);
  // Whoever says that a log of another campaign belongs here has said that this copy counts.
  const isDecided = allow.includes('diverged') || (allow.includes('foreign') && split && isUnseen(split));
  if (split && !isDecided) return err(split);
  if (split || other) return ok({ split, isOurs: false, waiting: [], warnings: [] });
  const waiting = spilledOf(known, log);
  const unreadable = waiting.map(whyUnreadable).find((one) => one !== undefined);
  return unreadable ? err(unreadable) : ok({ split, isOurs: true, waiting, warnings: [] });
}

/** For an existing log: cuts off what an interrupted write left at its end, and adds a missing last newline. */
async function repair(
  handle: FileHandle,
  { reading: { chain, end, size, newlineMissing } }: LoadedLog,
  { paths, run }: { readonly paths: StatePaths; readonly run: string },
) {
  const warnings: string[] = [];
  if (size > end) {
    const kept = paths.fragment(run);
    // Durable before the log is cut.
    await keepAside(handle, { from: end, to: size }, kept);
    await handle.truncate(end);
    warnings.push(
      `The last line of ${paths.file} was unfinished, because a run was interrupted while it wrote it. ` +
        `It was cut off and kept as ${kept}; nothing that depended on it was ever sent.`,
    );
  }
  if (newlineMissing) await handle.write('\n');
  // Records of a run that was killed count, synced or not. They must be durable before anything depends on them.
  await handle.datasync();
  // The run that made it may have been killed before its name was durable.
  await syncFolder(paths.folder);
  const file = logFileOf(handle, paths.file, paths.replaced(run));
  return { chain, length: newlineMissing ? end + 1 : end, file, begin: () => Promise.resolve(), warnings };
}

/** For a log that does not exist yet; another file at its path is kept. */
async function prepare(
  handle: FileHandle | undefined,
  { known, options, lock }: { readonly known: KnownLog; readonly options: WriteOptions; readonly lock: Lock },
) {
  const { runId: run, newLineage, identity, beside } = options;
  const { paths } = known;
  if (handle) {
    const { size } = await handle.stat();
    if (size > 0) await keepAside(handle, { from: 0, to: size }, paths.fragment(run));
    await handle.close();
  }
  const lineage = newLineage();
  const log = newLog(paths, {
    lineage,
    identity,
    aside: paths.replaced(run),
    replaces: handle !== undefined,
    async begun(end) {
      await lock.remember(lineage, end);
      const head = { lineage, last: end, boundAt: '' };
      const named = { file: paths.file, header: log.header, head };
      if (beside) await pointTo(beside, named, { ...options, isNew: true });
    },
  });
  return log;
}
