import { countNodes } from '../../log/fold-state.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { openedState, type OpenState } from '../store.ts';
import { unreadWarnings } from './committed.ts';
import { type SpillFile, whyUnreadable } from './import-spill.ts';
import { findSplit, type KnownLog, lookAround, type ReadOptions, spilledOf, whyNotNew } from './known-log.ts';
import { followLog, type FollowLog } from './follow-log.ts';
import type { LoadedLog } from './load-log.ts';
import { readCheckpoint } from './lock.ts';
import { markOf } from './mark.ts';
import { foreign, isUnseen, unlessRefused } from './state-problem.ts';
import { placeProblem, statePaths } from './work-folder.ts';

/**
 * Opens a state without its lock, in three steps: read, check, warn. An unfinished line of a running writer is ignored,
 * and what would stop a writer becomes a warning. A state that does not exist yet is empty.
 */
export function openToRead(
  options: ReadOptions,
  follow: FollowLog = followLog(),
): Promise<Result<OpenState, FatalProblem>> {
  const paths = statePaths(options.stateFile);
  return unlessRefused('unreadable', paths.file, async () => {
    const misplaced = await placeProblem(paths);
    if (misplaced) return err(misplaced);
    const known = await lookAround(paths, options, await readCheckpoint(paths.lock));
    const read = await follow(paths.file);
    if (!read.ok) return read;
    const log = read.value;
    const { identity } = options;
    const { problem, warnings } = log.header
      ? { problem: foreign(paths.file, log.header, { identity, known: countNodes(log.state) }), warnings: [] }
      : await whyNotNew(log, known);
    if (problem && !isUnseen(problem)) return err(problem);
    const open = await told(log, known, problem);
    return ok({ ...open, warnings: [...warnings, ...open.warnings] });
  });
}

/** `unseen`: why nobody knows whether a state that is not there is a new one. */
async function told(log: LoadedLog, known: KnownLog, unseen: FatalProblem | undefined): Promise<OpenState> {
  const waiting = spilledOf(known, log);
  const problem =
    unseen ?? (await findSplit(log, known)) ?? waiting.map(whyUnreadable).find((one) => one !== undefined);
  const warnings = problem ? [splitWarning(problem)] : waiting.map(waits);
  if (!problem || !isUnseen(problem)) warnings.push(...unreadWarnings(known.committed));
  const state = openedState(log, log.reading.chain);
  const isPlain = state.header && !problem && !state.unended;
  return {
    ...state,
    unended: waiting.length > 0 ? undefined : state.unended,
    diverged: problem,
    warnings,
    mark: isPlain ? markOf(known, log.reading) : undefined,
  };
}

/** A reader gets one sentence about what has to be decided; a command that writes is refused with all of it. */
export function splitWarning(problem: FatalProblem): string {
  const { code, summary, detail } = problem;
  const [use = '`campaign state use`'] = /`campaign state use [^`]+`/.exec(detail) ?? [];
  if (isUnseen(problem)) return `${summary}, and commands that write refuse it (76): ${detail}`;
  if (code !== 'state-diverged') return `${summary}: ${detail}`;
  return (
    `${summary}: what it lacks is taken for new, and commands that write refuse it (76) until the other copy is back or ` +
    `${use} decides that this one counts.`
  );
}

export function waits({ file }: SpillFile): string {
  return `A run could not write all that it did into the state: the rest waits in ${file}, and the next apply takes it in.`;
}
