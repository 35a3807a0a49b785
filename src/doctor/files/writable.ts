import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The folder itself, or the nearest one above it that exists, and why it cannot be written to, if so. */
export async function checkWritable(folder: string): Promise<{ existing: string; code?: string }> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return { existing: folder };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    const above = dirname(folder);
    return code === 'ENOENT' && above !== folder ? checkWritable(above) : { existing: folder, code };
  }
}
