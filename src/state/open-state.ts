/**
 * Opens the state of a campaign. Reading takes no lock and passes over a line that a running writer has not finished;
 * writing takes the lock, repairs an unfinished end, and has the header and its folder's entry on disk before anything
 * else happens. Whatever is not as it should be is a problem, and the log stays as it was.
 */
import type { FileHandle } from 'node:fs/promises';
import type { RunState } from '../model/run-state.ts';
import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import { emptyState } from './fold.ts';
import type { LogHeader, LogIdentity } from './header.ts';
import { countNodes } from './list-state.ts';
import { loadLog, type LoadedLog } from './load-log.ts';
import { acquireLock, rememberedLineage, type Lock } from './lock.ts';
import { logFileOf, LogWriter } from './log-writer.ts';
import { StateRecorder } from './recorder.ts';
import { repairTail } from './repair.ts';
import type { RunSummary } from './run-summary.ts';
import { startLog } from './start-log.ts';
import { checkFolder, createStateFile, openStateFile } from './state-file.ts';
import { diskProblem, notAFile, vanished, type StateProblem } from './state-problem.ts';
import { makeWorkFolder, statePaths, type StatePaths } from './work-folder.ts';

interface ReadOptions {
  /** The state's path; symbolic links are refused, also as its folder. */
  readonly stateFile: string;
  readonly identity: LogIdentity;
}

interface WriteOptions extends ReadOptions {
  /** How long to wait for another run's lock, in milliseconds. */
  readonly lockTimeoutMs: number;
  readonly clock: Clock;
  readonly runId: string;
  /** Named to whoever finds the lock held, e.g. `campaign apply`. */
  readonly command: string;
  readonly newLineage: () => string;
}

/** An open state. */
export interface OpenState {
  readonly state: RunState;
  /** Absent where there is no state yet. */
  readonly header: LogHeader | undefined;
  /** Names exactly this content of the log: lineage, number and checksum of its last record; empty without a state. */
  readonly version: string;
  /** Runs before this one, oldest first. */
  readonly runs: readonly RunSummary[];
  /** Nodes that the state knew when it was opened. */
  readonly known: number;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** A state that this process alone may write; `state` follows what is recorded. */
export interface WritableState extends OpenState {
  readonly header: LogHeader;
  readonly recorder: StateRecorder;
}

/** Opens a state; reading one that does not exist yet gives an empty one. Writing needs all the options. */
export function openState(
  options: WriteOptions & { readonly mode: 'write' },
): Promise<Result<WritableState, StateProblem>>;
export function openState(
  options: ReadOptions & Partial<WriteOptions> & { readonly mode: 'read' },
): Promise<Result<OpenState, StateProblem>>;
export async function openState(
  options: (WriteOptions & { readonly mode: 'write' }) | (ReadOptions & { readonly mode: 'read' }),
): Promise<Result<OpenState, StateProblem>> {
  const paths = statePaths(options.stateFile);
  try {
    const why = await checkFolder(paths.folder);
    if (why !== undefined) return err(notAFile(paths.folder, why));
    return options.mode === 'write' ? await openToWrite(paths, options) : await openToRead(paths, options);
  } catch (error) {
    const problem = diskProblem(options.mode === 'write' ? 'unwritable' : 'unreadable', paths.file, error);
    if (!problem) throw error;
    return err(problem);
  }
}

async function openToRead(
  paths: StatePaths,
  { identity }: ReadOptions,
): Promise<Result<OpenState, StateProblem>> {
  const opened = await openStateFile(paths.file, 'read');
  if (!opened.ok) return opened;
  const handle = opened.value;
  if (handle) {
    try {
      const loaded = await loadLog(handle, { file: paths.file, identity });
      if (!loaded.ok) return loaded;
      if (loaded.value.reading.header) return ok(opening(loaded.value));
    } finally {
      await handle.close();
    }
  }
  if (await rememberedLineage(paths.lock)) return err(vanished(paths.file, paths.lock));
  const none = { state: emptyState(), header: undefined, version: '', runs: [], known: 0, warnings: [] };
  return ok({ ...none, close: () => Promise.resolve() });
}

async function openToWrite(
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

async function openLocked(
  paths: StatePaths,
  options: WriteOptions & { readonly lock: Lock },
): Promise<Result<WritableState, StateProblem>> {
  const opened = await openStateFile(paths.file, 'write');
  if (!opened.ok) return opened;
  if (!opened.value && options.lock.lineage) return err(vanished(paths.file, paths.lock));
  const handle = opened.value ?? (await createStateFile(paths.file));
  return unlessOpened(
    () => openHandle(handle, { ...options, paths }),
    () => handle.close(),
  );
}

async function openHandle(
  handle: FileHandle,
  options: WriteOptions & { readonly lock: Lock; readonly paths: StatePaths },
): Promise<Result<WritableState, StateProblem>> {
  const { lock, paths, identity, runId: run } = options;
  const loaded = await loadLog(handle, { file: paths.file, identity });
  if (!loaded.ok) return loaded;
  const { reading } = loaded.value;
  if (!reading.header && lock.lineage) return err(vanished(paths.file, paths.lock));
  const { length, warnings } = await repairTail(handle, reading, { paths, run });
  const { header, chain, ...start } = reading.header
    ? { header: reading.header, chain: reading.chain, length }
    : await startLog(handle, { folder: paths.folder, lineage: options.newLineage(), identity });
  if (lock.lineage !== header.lineage) {
    if (lock.lineage) warnings.push(`${paths.file} is another state than the one that was here last.`);
    await lock.remember(header.lineage);
  }
  const writer = new LogWriter(logFileOf(handle), { run, chain, length: start.length });
  const recorder = new StateRecorder(writer, loaded.value.state);
  const close = async () => {
    try {
      await recorder.close();
    } finally {
      await lock.release();
    }
  };
  return ok({ ...opening(loaded.value), header, warnings, recorder, close });
}

function opening({ state, runs, reading: { header, chain } }: LoadedLog): OpenState {
  const known = countNodes(state);
  const version = header ? `${header.lineage}:${chain.seq}:${chain.crc}` : '';
  return {
    state,
    header,
    version,
    runs: [...runs.values()],
    known,
    warnings: [],
    close: () => Promise.resolve(),
  };
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
