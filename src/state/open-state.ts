/**
 * Opens the state of a campaign. Reading takes no lock and passes over a line that a running writer has not finished;
 * writing (open-to-write.ts) takes the lock and repairs an unfinished end. Whatever is not as it should be is a
 * problem, and the log stays as it was.
 */
import { err, ok, type Result } from '../util/result.ts';
import { emptyState } from './fold.ts';
import { findErrored, isOf, whyNotImported } from './import-errored.ts';
import { loadLog, type LoadedLog } from './load-log.ts';
import { readMemory } from './lock.ts';
import { divergenceOf, type LogMemory } from './log-memory.ts';
import type { OpenState, ReadOptions, WritableState, WriteOptions } from './open-options.ts';
import { openToWrite } from './open-to-write.ts';
import { opening, traceOf } from './opening.ts';
import { namingRescued } from './rescued.ts';
import { checkFolder, openStateFile } from './state-file.ts';
import { diskProblem, diverged, notAFile, vanished, type StateProblem } from './state-problem.ts';
import { statePaths, type StatePaths } from './work-folder.ts';

export type { OpenState, WritableState } from './open-options.ts';

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
    const opened =
      options.mode === 'write' ? await openToWrite(paths, options) : await openToRead(paths, options);
    return opened.ok ? opened : err(await namingRescued(opened.error, paths));
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
  const memory = await readMemory(paths.lock);
  const opened = await openStateFile(paths.file, 'read');
  if (!opened.ok) return opened;
  const handle = opened.value;
  if (handle) {
    try {
      const loaded = await loadLog(handle, { file: paths.file, identity, memory });
      if (!loaded.ok) return loaded;
      if (loaded.value.header) return ok(await reading(paths, loaded.value, memory));
    } finally {
      await handle.close();
    }
  }
  if (memory) return err(vanished(paths.file));
  return ok(nothing());
}

function nothing(): OpenState {
  return {
    state: emptyState(),
    header: undefined,
    version: '',
    seq: 0,
    diverged: undefined,
    runs: [],
    known: 0,
    warnings: [],
    close: () => Promise.resolve(),
  };
}

/** What a reader gets; what would stop a writer is a warning. */
async function reading(
  paths: StatePaths,
  loaded: LoadedLog,
  memory: LogMemory | undefined,
): Promise<OpenState> {
  const trace = traceOf(loaded);
  const divergence = trace && memory && divergenceOf(memory, trace);
  const problem = divergence && (await namingRescued(diverged(paths.file, divergence), paths));
  const waiting = (await findErrored(paths)).filter((file) => isOf(loaded.header?.lineage, file));
  const problems = [problem, ...waiting.map(whyNotImported)].filter((one) => one !== undefined);
  const warnings = [
    ...problems.map(({ summary, detail }) => `${summary}: ${detail}`),
    ...waiting
      .filter((file) => !whyNotImported(file))
      .map(
        ({ file }) =>
          `A run could not write all that it did into the state: the rest waits in ${file}, and the next apply takes it in.`,
      ),
  ];
  return { ...opening(loaded), diverged: problems[0], warnings, close: () => Promise.resolve() };
}
