import { rename } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere } from '../../util/new-file.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Locking } from '../store.ts';
import { openStateFile } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { unlessRefused } from './state-problem.ts';
import { underLock } from './lock.ts';
import { statePaths } from './work-folder.ts';

/**
 * Moves a state to another path beside the same `.campaign/`, under its lock. The lock and its checkpoint stay with the
 * state. If another file has taken the new path meanwhile, both stay where they are.
 */
export function moveState(
  from: string,
  { to, ...locking }: Locking & { readonly to: string },
): Promise<Result<void, FatalProblem>> {
  const paths = statePaths(from);
  return underLock(paths, locking, async () => {
    const opened = await openStateFile(paths.file, 'read');
    if (!opened.ok) return opened;
    await opened.value?.close();
    if (opened.value && !(await isThere(to))) await renameDurably(paths.file, path.resolve(to));
    return ok(undefined);
  });
}

/** Renames a folder, if it exists. */
export function moveFolder(from: string, to: string): Promise<Result<void, FatalProblem>> {
  return unlessRefused('unwritable', from, async () => {
    if (await isThere(from)) await rename(from, to);
    return ok(undefined);
  });
}

async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(path.dirname(to));
  await syncFolder(path.dirname(from));
}
