import { lstat } from 'node:fs/promises';

/** Whether a name is in use, be it by a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
