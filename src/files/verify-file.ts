import { isThere } from '../util/new-file.ts';
import { sha256Of } from './sha256-of.ts';

/** How a file is that was recorded. `unreadable`: what stands in its place is no file, or may not be read. */
export type FileState = 'ok' | 'missing' | 'differs' | 'unreadable';

export async function verifyFile(path: string, sha256: string): Promise<FileState> {
  const content = await sha256Of(path);
  if (content !== undefined) return content === sha256 ? 'ok' : 'differs';
  return (await isThere(path)) ? 'unreadable' : 'missing';
}
