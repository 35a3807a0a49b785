import type { Stats } from 'node:fs';

/**
 * Why a file or folder must not be used for a state; undefined when it may. `user` is the uid of this process, if the
 * system has one. Root is always trusted, because it can change any file anyway.
 */
export function distrust(
  stats: Pick<Stats, 'isSymbolicLink' | 'isFile' | 'isDirectory' | 'uid'>,
  { expected, user }: { readonly expected: 'file' | 'folder'; readonly user: number | undefined },
): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (expected === 'file' ? !stats.isFile() : !stats.isDirectory()) return `it is no ${expected}`;
  if (user === undefined || stats.uid === user || stats.uid === 0) return undefined;
  return `it belongs to another user (uid ${stats.uid}, you are ${user})`;
}
