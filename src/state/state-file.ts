/** Opens the state's file, and only what can be trusted: our own regular file in our own folder, no link. */
import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { err, ok, type Result } from '../util/result.ts';
import { notAFile, type StateProblem } from './state-problem.ts';

/** Opening a FIFO must not wait for its other end; on a file the flag does nothing. */
const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FOR_WRITING = constants.O_RDWR | constants.O_APPEND | SAFELY;

/** Opens an existing state; the value is undefined where there is none. */
export async function openStateFile(
  file: string,
  mode: 'read' | 'write',
): Promise<Result<fs.FileHandle | undefined, StateProblem>> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, mode === 'write' ? FOR_WRITING : constants.O_RDONLY | SAFELY);
  } catch (error) {
    const why = await refusedAs(file, error as NodeJS.ErrnoException);
    if (why === 'absent') return ok(undefined);
    return err(notAFile(file, why));
  }
  const why = distrust(await handle.stat(), 'file');
  if (why === undefined) return ok(handle);
  await handle.close();
  return err(notAFile(file, why));
}

/** Makes an empty state, readable by its owner only. */
export function createStateFile(file: string): Promise<fs.FileHandle> {
  return fs.open(file, FOR_WRITING | constants.O_CREAT | constants.O_EXCL, 0o600);
}

/** Why a folder cannot be trusted; undefined when it can. */
export async function checkFolder(folder: string): Promise<string | undefined> {
  return distrust(await fs.lstat(folder), 'folder');
}

async function refusedAs(file: string, error: NodeJS.ErrnoException): Promise<string> {
  if (error.code === 'ENOENT') return 'absent';
  const stats = await fs.lstat(file).catch(() => undefined);
  const why = stats && distrust(stats, 'file');
  if (why === undefined) throw error;
  return why;
}

/** Root is trusted everywhere: it needs no file of ours to do what it wants. */
function distrust(stats: Stats, expected: 'file' | 'folder'): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (expected === 'file' ? !stats.isFile() : !stats.isDirectory()) return `it is no ${expected}`;
  const user = process.getuid?.();
  if (user === undefined || stats.uid === user || stats.uid === 0) return undefined;
  return `it belongs to another user (uid ${stats.uid}, you are ${user})`;
}
