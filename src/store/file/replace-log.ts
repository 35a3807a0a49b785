import * as fs from 'node:fs/promises';
import { syncFolder } from '../../util/atomic-file.ts';
import { openNewFile } from '../../util/new-file.ts';
import type { StatePaths } from './work-folder.ts';

/**
 * A crash at any point leaves the old log or the new one, complete. Only for the holder of the lock, whose own handle
 * still has the old one afterwards. `before` is the last thing that happens to the old log.
 */
export async function replaceLog(
  { file, folder, rewrite }: StatePaths,
  lines: readonly string[],
  before: () => Promise<void>,
): Promise<void> {
  const { mode } = await fs.stat(file);
  const handle = await openNewFile(rewrite, 0o600);
  try {
    await handle.chmod(mode & 0o777);
    await handle.writeFile(lines.join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await before();
  await fs.rename(rewrite, file);
  await syncFolder(folder);
}
