/** Opens the file of a state, if it can be trusted: a regular file of this user in a folder of this user, no link. */
import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { err, ok, type Result } from '../../util/result.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { notAFile } from './state-problem.ts';

/** Opening a FIFO must not wait for its other end; for a file the flag does nothing. */
const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FOR_WRITING = constants.O_RDWR | constants.O_APPEND | SAFELY;

/** Each name would have a lock of its own. A copy has one name: `cp FILE NEW && mv NEW FILE`. */
const OTHER_NAMES =
  'it has a second name (a hard link), under which another run could write it; `cp` it to a new file and `mv` that over it';

/** Undefined where there is no state. */
export async function openStateFile(
  file: string,
  mode: 'read' | 'write',
): Promise<Result<fs.FileHandle | undefined, FatalProblem>> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, mode === 'write' ? FOR_WRITING : constants.O_RDONLY | SAFELY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(undefined);
    const stats = await fs.lstat(file).catch(() => undefined);
    const refusal = stats && why(stats, 'file');
    if (refusal === undefined) throw error;
    return err(notAFile(file, refusal));
  }
  const stats = await handle.stat();
  const refusal = why(stats, 'file') ?? (mode === 'write' && stats.nlink > 1 ? OTHER_NAMES : undefined);
  if (refusal === undefined) return ok(handle);
  await handle.close();
  return err(notAFile(file, refusal));
}

export async function checkFolder(folder: string): Promise<string | undefined> {
  return why(await fs.lstat(folder), 'folder');
}

function why(stats: Stats, expected: 'file' | 'folder'): string | undefined {
  return distrust(stats, { expected, user: process.getuid?.() });
}

/** `user` is the uid of this process, if the system has one. Root is trusted, because it can change any file anyway. */
export function distrust(
  stats: Pick<Stats, 'isSymbolicLink' | 'isFile' | 'isDirectory' | 'uid'>,
  { expected, user }: { readonly expected: 'file' | 'folder'; readonly user: number | undefined },
): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (expected === 'file' ? !stats.isFile() : !stats.isDirectory()) return `it is no ${expected}`;
  if (user === undefined || stats.uid === user || stats.uid === 0) return undefined;
  return `it belongs to another user (uid ${stats.uid}, you are ${user})`;
}
