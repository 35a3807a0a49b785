/**
 * Opens a state for its one writer, in this order: the lock; the log, refused where it is not as it should be; an
 * unfinished end cut off; a header for a new log; what an earlier run could not write. Then it is remembered which
 * log this is, and only then the first event is written.
 */
import type { FileHandle } from 'node:fs/promises';
import { syncFolder } from '../util/atomic-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { findSplit } from './find-split.ts';
import { fold } from './fold.ts';
import {
  createSieve,
  findErrored,
  isOf,
  markImported,
  memoryOf,
  whyUnreadable,
  type ErroredFile,
} from './import-errored.ts';
import { loadLog, type LoadedLog } from './load-log.ts';
import { acquireLock, type Lock } from './lock.ts';
import { logFileOf, LogWriter } from './log-writer.ts';
import type { WritableState, WriteOptions } from './open-options.ts';
import type { LogRecord } from './record.ts';
import { repairTail } from './repair.ts';
import { namingRescued } from './rescued.ts';
import { startLog } from './start-log.ts';
import { createStateFile, openStateFile } from './state-file.ts';
import { foreign, vanished, type StateProblem } from './state-problem.ts';
import { makeWorkFolder, type StatePaths } from './work-folder.ts';
import { createWriteSession } from './write-session.ts';

/** Takes the lock and opens the log behind it. */
export async function openToWrite(
  paths: StatePaths,
  options: WriteOptions,
): Promise<Result<WritableState, StateProblem>> {
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

type Locked = WriteOptions & { readonly lock: Lock };

async function openLocked(paths: StatePaths, options: Locked): Promise<Result<WritableState, StateProblem>> {
  const opened = await openStateFile(paths.file, 'write');
  if (!opened.ok) return opened;
  if (!opened.value && refusesNew(options)) return gone(paths, options);
  const handle = opened.value ?? (await createStateFile(paths.file));
  return unlessOpened(
    () => openHandle(handle, paths, options),
    () => handle.close(),
  );
}

/** Where there was a state, a new one would pay for everything again. */
function refusesNew({ lock, allow }: Locked): boolean {
  return lock.memory !== undefined && !allow?.includes('vanished');
}

async function openHandle(
  handle: FileHandle,
  paths: StatePaths,
  options: Locked,
): Promise<Result<WritableState, StateProblem>> {
  const { lock, allow, runId: run } = options;
  const errored = await findErrored(paths);
  const sieve = createSieve(errored);
  const identity = allow?.includes('foreign') ? undefined : options.identity;
  const loaded = await loadLog(handle, {
    file: paths.file,
    identity,
    memories: [lock.memory, ...errored.map(memoryOf)],
    visit: (record) => sieve.show(record),
  });
  if (!loaded.ok) return loaded;
  const { header } = loaded.value;
  if (!header && refusesNew(options)) return gone(paths, options);
  const waiting = errored.filter((one) => isOf(header?.lineage, one));
  const split = await findSplit(loaded.value, { paths, memory: lock.memory, waiting });
  if (split && !allow?.includes('diverged')) return err(split);
  // Somebody may still decline to take another state for this one: until then nothing of it is settled.
  const isOurs = !split && !(header && foreign(paths.file, header, options.identity));
  const taken = isOurs ? waiting : [];
  for (const file of taken) {
    const unreadable = whyUnreadable(file);
    if (unreadable) return err(unreadable);
  }
  const { length, warnings } = await repairTail(handle, loaded.value.reading, { paths, run });
  const start = await startOf(handle, loaded.value, { paths, options, length });
  const { lineage } = start.header;
  const writer = new LogWriter(logFileOf(handle, paths.file, paths.replaced(run)), { run, ...start }, (end) =>
    lock.note(lineage, end),
  );
  for (const file of taken) {
    warnings.push(await takeIn(file, sieve.missing(file), { paths, run, writer, loaded: loaded.value }));
  }
  if (isOurs) await lock.remember(lineage, writer.durable);
  return ok(
    createWriteSession(loaded.value, {
      paths,
      options,
      lock,
      header: start.header,
      diverged: split,
      isOurs,
      writer,
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

/** There is no log, or an empty one, where there was one that was not. */
async function gone(paths: StatePaths, { lock }: Locked): Promise<Result<never, StateProblem>> {
  return err(await namingRescued(vanished(paths.file), paths, lock.memory));
}

async function startOf(
  handle: FileHandle,
  { header, reading: { chain } }: LoadedLog,
  { paths, options, length }: { paths: StatePaths; options: Locked; length: number },
) {
  if (header) {
    // The run that made it may have been killed before its name was durable.
    await syncFolder(paths.folder);
    return { header, chain, length };
  }
  const { newLineage, identity } = options;
  return startLog(handle, { folder: paths.folder, lineage: newLineage(), identity });
}

/** Gives back what was taken for opening where it comes to nothing. */
async function unlessOpened<T>(
  open: () => Promise<Result<T, StateProblem>>,
  giveBack: () => Promise<void>,
): Promise<Result<T, StateProblem>> {
  let opened = false;
  try {
    const result = await open();
    opened = result.ok;
    return result;
  } finally {
    if (!opened) await giveBack();
  }
}
