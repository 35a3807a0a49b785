import { lstat } from 'node:fs/promises';

/** Whether a name is in use, also by a link to nothing. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
