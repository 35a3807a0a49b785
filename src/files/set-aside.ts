import { lstat, rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { checkPlace, isThere, isThereNow } from '../util/new-file.ts';
import { sha256Of } from './sha256-of.ts';

/** A file with other content at the path, whoever made it, becomes the backup `<name>.bak<n>.<ext>`, which is returned. */
export async function setAside(path: string, content: string): Promise<string | undefined> {
  return isThereNow(path) && (await sha256Of(path)) !== content ? stepAside(path) : undefined;
}

/** As `setAside`, whatever the content is. A pipe or a device is nobody's work, so it is an error that names it. */
export async function stepAside(path: string): Promise<string> {
  const isLink = (await lstat(path)).isSymbolicLink();
  if (!isLink) await checkPlace(path);
  const extension = extname(path);
  const base = path.slice(0, path.length - extension.length);
  let n = 1;
  while (await isThere(`${base}.bak${n}${extension}`)) n += 1;
  const backup = `${base}.bak${n}${extension}`;
  await rename(path, backup);
  return backup;
}
