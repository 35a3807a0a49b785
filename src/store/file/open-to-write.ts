/**
 * Opens a state for its one writer, in this order: the lock; the log, refused where it is not as it should be; an
 * unfinished end cut off; what an earlier run could not write. Then it is remembered which log this is, and only then
 * the first event is written. A new log gets its file with its first event.
 */
import type { FileHandle } from 'node:fs/promises';
import { syncFolder } from '../../util/atomic-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Committed, memoryIn, settleCommitted, unreadWarnings } from './committed.ts';
import { findSplit } from './find-split.ts';
import { fold } from '../../log/fold.ts';
import {
  createSieve,
  findErrored,
  isOf,
  markImported,
  memoryOf,
  whyUnreadable,
  type ErroredFile,
} from './import-errored.ts';
import type { LogHeader } from './header.ts';
import { keepAside } from './keep-aside.ts';
import { loadLog, type LoadedLog, noLog } from './load-log.ts';
import { acquireLock, type Lock } from './lock.ts';
import { logFileOf, LogWriter } from './log-writer.ts';
import type { WritableState } from '../store.ts';
import type { WriteOptions } from './open-options.ts';
import { type LogRecord } from '../../log/log-record.ts';
import { repairTail } from './repair.ts';
import { newLog } from './start-log.ts';
import { openStateFile } from './state-file.ts';
import { countNodes } from '../../log/count-nodes.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { foreign } from './state-problem.ts';
import { whyNotNew } from './why-not-new.ts';
import { NO_WITNESSES, type Witnesses } from './witnesses.ts';
import { makeWorkFolder, type StatePaths } from './work-folder.ts';
import { createWriteSession } from './write-session.ts';

/** Takes the lock and opens the log behind it. */
export async function openToWrite(
  paths: StatePaths,
  options: WriteOptions,
): Promise<Result<WritableState, FatalProblem>> {
  const made = await makeWorkFolder(paths.work);
  if (!made.ok) return made;
  const { lockTimeoutMs: timeoutMs, clock, command } = options;
  const locked = await acquireLock({ paths, timeoutMs, clock, command });
  if (!locked.ok) return locked;
  const lock = locked.value;
  return unlessOpened(
    () => openLocked(paths, { ...options, lock }),
    () => lock.release(),
  );
}

type Locked = WriteOptions & {
  readonly lock: Lock;
  readonly committed: Committed;
  readonly witnesses: Witnesses;
};

async function openLocked(
  paths: StatePaths,
  options: Omit<Locked, 'committed' | 'witnesses'>,
): Promise<Result<WritableState, FatalProblem>> {
  const { witnesses = NO_WITNESSES }: WriteOptions = options;
  const committed = await witnesses.committed(paths);
  const opened = await openStateFile(paths.file, 'write');
  if (!opened.ok) return opened;
  const handle = opened.value;
  return unlessOpened(
    () => openHandle(handle, paths, { ...options, witnesses, committed }),
    async () => handle?.close(),
  );
}

async function openHandle(
  handle: FileHandle | undefined,
  paths: StatePaths,
  options: Locked,
): Promise<Result<WritableState, FatalProblem>> {
  const { lock, allow, runId: run, committed, witnesses, identity } = options;
  const { memory } = lock;
  const errored = await findErrored(paths);
  const sieve = createSieve(errored);
  const loaded = handle
    ? await loadLog(handle, {
        file: paths.file,
        identity: allow?.includes('foreign') ? undefined : identity,
        memories: [memory, memoryIn(committed), ...errored.map(memoryOf)],
        visit: (record) => sieve.show(record),
      })
    : ok(noLog());
  if (!loaded.ok) return loaded;
  const { header } = loaded.value;
  if (!header && !allow?.includes('vanished')) {
    const absence = { memory, committed, witnesses, identity, isEmpty: handle !== undefined };
    const problem = await whyNotNew(paths, absence);
    if (problem) return err(problem);
  }
  const waiting = errored.filter((one) => isOf(header?.lineage, one));
  const split = await findSplit(loaded.value, { paths, memory, waiting, committed });
  if (split && !allow?.includes('diverged')) return err(split);
  // Somebody may still decline to take another state for this one: until then nothing of it is settled.
  const isOurs =
    header !== undefined &&
    !split &&
    !foreign(paths.file, header, { identity, known: countNodes(loaded.value.state) });
  const taken = isOurs ? waiting : [];
  for (const file of taken) {
    const unreadable = whyUnreadable(file);
    if (unreadable) return err(unreadable);
  }
  const log = handle && header ? await goOn(handle, { ...loaded.value, header }, { paths, run }) : undefined;
  const begun = log ?? (await startAnew(handle, { paths, options }));
  const { file, header: own, chain, length } = begun;
  const { lineage } = own;
  const writer = new LogWriter(file, { run, chain, length }, (end) => lock.note(lineage, end));
  const warnings = [...(log?.warnings ?? []), ...unreadWarnings(committed)];
  for (const one of taken) {
    warnings.push(await takeIn(one, sieve.missing(one), { paths, run, writer, loaded: loaded.value }));
  }
  if (isOurs) {
    await lock.remember(lineage, writer.durable);
    await witnesses.note(paths, identity);
  }
  const isContested = !header || split !== undefined;
  return ok(
    createWriteSession(loaded.value, {
      paths,
      options,
      lock,
      header: own,
      diverged: split,
      isOurs,
      writer,
      makeFile: () => begun.begin(),
      ...(isContested && committed.type === 'log' && { settle: () => settleCommitted(paths, committed) }),
      warnings,
    }),
  );
}

/** Records what the log does not have, and says that it did. */
async function takeIn(
  file: ErroredFile,
  missing: readonly LogRecord[],
  by: {
    readonly paths: StatePaths;
    readonly run: string;
    readonly writer: LogWriter;
    readonly loaded: LoadedLog;
  },
): Promise<string> {
  const { state, runs } = by.loaded;
  // One by one, but one commit for all of them. What became of a run is said of that run, the rest by who writes it:
  // so the log still tells where the earlier run ended, which its own machine remembers.
  const recorded = missing.map(async (record) => {
    const { event } = record;
    const run = event.type === 'run-started' || event.type === 'run-finished' ? record.run : by.run;
    const { seq, crc } = await by.writer.append([event], run);
    fold(state, event);
    runs.add({ seq, run, event }, crc);
  });
  await Promise.all(recorded);
  await markImported(file, by.loaded, by.paths);
  return `What an earlier run could not write into the state was taken in from ${file.file}.`;
}

/** A log that there is: its unfinished end is cut off, and its name durable. */
async function goOn(
  handle: FileHandle,
  { header, reading }: LoadedLog & { readonly header: LogHeader },
  { paths, run }: { readonly paths: StatePaths; readonly run: string },
) {
  const { length, warnings } = await repairTail(handle, reading, { paths, run });
  // The run that made it may have been killed before its name was durable.
  await syncFolder(paths.folder);
  const file = logFileOf(handle, paths.file, paths.replaced(run));
  return { header, chain: reading.chain, length, file, begin: () => Promise.resolve(), warnings };
}

/** A log that there is not yet; what stands in its place without being one is kept. */
async function startAnew(
  handle: FileHandle | undefined,
  { paths, options }: { readonly paths: StatePaths; readonly options: Locked },
) {
  const { runId: run, newLineage, identity, lock, witnesses } = options;
  if (handle) {
    const { size } = await handle.stat();
    if (size > 0) await keepAside(handle, { from: 0, to: size }, paths.fragment(run));
    await handle.close();
  }
  const lineage = newLineage();
  return newLog(paths, {
    lineage,
    identity,
    aside: paths.replaced(run),
    replaces: handle !== undefined,
    async begun(chain) {
      await lock.remember(lineage, chain);
      await witnesses.note(paths, identity);
    },
  });
}

/** Gives back what was taken for opening where it comes to nothing. */
async function unlessOpened<T>(
  open: () => Promise<Result<T, FatalProblem>>,
  giveBack: () => Promise<void>,
): Promise<Result<T, FatalProblem>> {
  let opened = false;
  try {
    const result = await open();
    opened = result.ok;
    return result;
  } finally {
    if (!opened) await giveBack();
  }
}
