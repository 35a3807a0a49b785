import type { FatalProblem } from '../../model/problem.ts';
import { err, type Result } from '../../util/result.ts';
import type { Locking } from '../store.ts';
import { acquireLock, type Lock } from './lock.ts';
import { unlessRefused } from './state-problem.ts';
import { makeWorkFolder, placeProblem, type StatePaths } from './work-folder.ts';

/** Takes the lock of a place, whether or not there is a state yet. */
export function lockState(paths: StatePaths, locking: Locking): Promise<Result<Lock, FatalProblem>> {
  const { lockTimeoutMs: timeoutMs, clock, command } = locking;
  return unlessRefused('unwritable', paths.file, async () => {
    const problem = await placeProblem(paths);
    if (problem) return err(problem);
    const made = await makeWorkFolder(paths.work);
    return made.ok ? acquireLock({ paths, timeoutMs, clock, command }) : made;
  });
}

/** Runs `work` under the lock; an error of the disk becomes a problem of the state. */
export async function underLock<T>(
  paths: StatePaths,
  locking: Locking,
  work: (lock: Lock) => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  const locked = await lockState(paths, locking);
  if (!locked.ok) return locked;
  return unlessRefused('unwritable', paths.file, async () => {
    try {
      return await work(locked.value);
    } finally {
      await locked.value.release();
    }
  });
}
