/**
 * Opens the state of a campaign. Reading takes no lock and passes over a line that a running writer has not finished;
 * writing (open-to-write.ts) takes the lock and repairs an unfinished end. Whatever is not as it should be is a
 * problem, and the log stays as it was.
 */
import { err, ok, type Result } from '../../util/result.ts';
import { type Committed, memoryIn, unreadWarnings } from './committed.ts';
import { findSplit } from './find-split.ts';
import { type ErroredFile, findErrored, isOf, memoryOf, whyUnreadable } from './import-errored.ts';
import { loadLog, type LoadedLog, noLog } from './load-log.ts';
import { readMemory } from './lock.ts';
import type { LogMemory } from './log-memory.ts';
import type { OpenState, WritableState } from '../store.ts';
import type { ReadOptions, WriteOptions } from './open-options.ts';
import { openToWrite } from './open-to-write.ts';
import { opening } from './opening.ts';
import { openStateFile } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { diskProblem } from './state-problem.ts';
import { whyNotNew } from './why-not-new.ts';
import { NO_WITNESSES } from './witnesses.ts';
import { placeProblem, statePaths, type StatePaths } from './work-folder.ts';

/** Opens a state; reading one that does not exist yet gives an empty one. Writing needs all the options. */
export function openState(
  options: WriteOptions & { readonly mode: 'write' },
): Promise<Result<WritableState, FatalProblem>>;
export function openState(
  options: ReadOptions & Partial<WriteOptions> & { readonly mode: 'read' },
): Promise<Result<OpenState, FatalProblem>>;
export async function openState(
  options: (WriteOptions & { readonly mode: 'write' }) | (ReadOptions & { readonly mode: 'read' }),
): Promise<Result<OpenState, FatalProblem>> {
  const paths = statePaths(options.stateFile);
  try {
    const problem = await placeProblem(paths);
    if (problem) return err(problem);
    return options.mode === 'write' ? await openToWrite(paths, options) : await openToRead(paths, options);
  } catch (error) {
    const problem = diskProblem(options.mode === 'write' ? 'unwritable' : 'unreadable', paths.file, error);
    if (!problem) throw error;
    return err(problem);
  }
}

async function openToRead(
  paths: StatePaths,
  { identity, witnesses = NO_WITNESSES }: ReadOptions,
): Promise<Result<OpenState, FatalProblem>> {
  const memory = await readMemory(paths.lock);
  const errored = await findErrored(paths);
  const committed = await witnesses.committed(paths);
  const opened = await openStateFile(paths.file, 'read');
  if (!opened.ok) return opened;
  const handle = opened.value;
  if (handle) {
    try {
      const loaded = await loadLog(handle, {
        file: paths.file,
        identity,
        memories: [memory, memoryIn(committed), ...errored.map(memoryOf)],
      });
      if (!loaded.ok) return loaded;
      if (loaded.value.header) return ok(await reading(loaded.value, { paths, memory, errored, committed }));
    } finally {
      await handle.close();
    }
  }
  const absence = { memory, committed, witnesses, identity, isEmpty: handle !== undefined };
  const problem = await whyNotNew(paths, absence);
  if (problem) return err(problem);
  const warnings = unreadWarnings(committed);
  return ok({ ...opening(noLog()), diverged: undefined, warnings });
}

interface Beside {
  readonly paths: StatePaths;
  readonly memory: LogMemory | undefined;
  readonly errored: readonly ErroredFile[];
  readonly committed: Committed;
}

/** What a reader gets; what would stop a writer is a warning. */
async function reading(log: LoadedLog, { paths, memory, errored, committed }: Beside): Promise<OpenState> {
  const waiting = errored.filter((file) => isOf(log.header?.lineage, file));
  const split = await findSplit(log, { paths, memory, waiting, committed });
  const problem = split ?? waiting.map(whyUnreadable).find((one) => one !== undefined);
  const told = problem ? [toldOf(problem)] : waiting.map(waits);
  const warnings = [...told, ...unreadWarnings(committed)];
  const opened = opening(log);
  const unended = waiting.length > 0 ? undefined : opened.unended;
  return { ...opened, unended, diverged: problem, warnings };
}

/** What has to be decided is one sentence for whoever only reads; a command that writes is refused with all of it. */
function toldOf({ code, summary, detail }: FatalProblem): string {
  if (code !== 'state-diverged') return `${summary}: ${detail}`;
  return (
    `${summary}: what it lacks is taken for new, and commands that write refuse it (76) until the other copy is back or ` +
    '`campaign state rebind` decides that this one counts.'
  );
}

function waits({ file }: ErroredFile): string {
  return `A run could not write all that it did into the state: the rest waits in ${file}, and the next apply takes it in.`;
}
