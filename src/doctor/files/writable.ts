import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isThere } from '../../util/is-there.ts';

/** The folder, or the nearest existing one above it, and why it cannot be written to, if so. */
export async function checkWritable(folder: string): Promise<{ existing: string; code?: string }> {
  try {
    if (!(await stat(folder)).isDirectory()) return { existing: folder, code: 'ENOTDIR' };
    await access(folder, constants.W_OK | constants.X_OK);
    return { existing: folder };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    const above = dirname(folder);
    // A link to nothing is in the way, too.
    if (code === 'ENOENT' && (await isThere(folder))) return { existing: folder, code };
    // Where a file is in the way, it is further up.
    return (code === 'ENOENT' || code === 'ENOTDIR') && above !== folder
      ? checkWritable(above)
      : { existing: folder, code };
  }
}
