import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below a folder with its content, without the lock of an output folder. */
export async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/.campaign'))
    .map((entry) => join(entry.parentPath, entry.name));
  const read = files
    .sort()
    .map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'base64')]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}
