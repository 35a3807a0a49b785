import { type ErroredFile, memoryOf, whyNotFor } from './import-errored.ts';
import type { Committed } from './committed.ts';
import type { LoadedLog } from './load-log.ts';
import type { Divergence, LogMemory } from './log-memory.ts';
import { divergenceFrom } from './opening.ts';
import { namingRescued } from './rescued.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { diverged, divergedFromHead } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

interface Known {
  readonly paths: StatePaths;
  /** Of the lock file. */
  readonly memory: LogMemory | undefined;
  /** What waits to be taken into this log. */
  readonly waiting: readonly ErroredFile[];
  readonly committed: Committed;
}

/** Why a log is a copy that may not be the one that counts; undefined where it goes on from all that is known of it. */
export async function findSplit(
  log: LoadedLog,
  { paths, memory, waiting, committed }: Known,
): Promise<FatalProblem | undefined> {
  const divergence = memory && divergenceFrom(log, memory);
  if (divergence) return namingRescued(diverged(paths.file, divergence), paths, memory);
  for (const file of waiting) {
    const problem = whyNotFor(log, file);
    if (problem) return namingRescued(problem, paths, memoryOf(file));
  }
  const apart = fromHead(log, committed);
  return apart && divergedFromHead(paths.file, apart);
}

/** How a log differs from the one that git's HEAD has, unless somebody has settled that. */
function fromHead(log: LoadedLog, committed: Committed): Divergence | undefined {
  if (committed.type !== 'log' || committed.isSettled) return undefined;
  return divergenceFrom(log, committed.memory);
}
