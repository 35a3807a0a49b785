import * as fs from 'node:fs/promises';
import path from 'node:path';
import { checkFolderPlace } from './new-file.ts';

/** Makes a folder for its owner only, unless it exists, with a .gitignore that excludes all of it. */
export async function makeIgnoredFolder(folder: string): Promise<void> {
  if (!(await checkFolderPlace(folder))) await fs.mkdir(folder, { mode: 0o700 }).catch(unlessExists);
  const ignore = path.join(folder, '.gitignore');
  await fs.writeFile(ignore, '*\n', { flag: 'wx', mode: 0o600 }).catch(unlessExists);
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
