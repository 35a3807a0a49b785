import type { Clock } from '../../util/clock.ts';
import { err, type Result } from '../../util/result.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { diskProblem } from './state-problem.ts';
import { makeWorkFolder, placeProblem, type StatePaths } from './work-folder.ts';

interface Locking {
  readonly paths: StatePaths;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Named to whoever finds the lock held. */
  readonly command: string;
}

/** Does something with a state as a file, while nobody else may; what the disk refuses is a problem of the state. */
export async function underLock<T>(
  locking: Locking,
  work: (lock: Lock) => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  const { paths } = locking;
  try {
    const problem = await placeProblem(paths);
    if (problem) return err(problem);
    const made = await makeWorkFolder(paths.work);
    if (!made.ok) return made;
    const locked = await acquireLock(locking);
    if (!locked.ok) return locked;
    try {
      return await work(locked.value);
    } finally {
      await locked.value.release();
    }
  } catch (error) {
    const problem = diskProblem('unwritable', paths.file, error);
    if (!problem) throw error;
    return err(problem);
  }
}
