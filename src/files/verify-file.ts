import { lstat } from 'node:fs/promises';
import { sha256Of } from './sha256-of.ts';

/** How a file is that was recorded. `unreadable`: what stands in its place is no file, or may not be read. */
export type FileState = 'ok' | 'missing' | 'differs' | 'unreadable';

export async function verifyFile(path: string, sha256: string): Promise<FileState> {
  const content = await sha256Of(path);
  if (content !== undefined) return content === sha256 ? 'ok' : 'differs';
  // A folder that may not be entered hides what is in it.
  const isMissing = await lstat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
  return isMissing ? 'missing' : 'unreadable';
}
