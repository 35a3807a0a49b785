import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../util/result.ts';
import { readLedger } from './ledger.ts';

/** The folder of uploads and generated files in a data folder. */
export const FILES = 'files';

/**
 * Tells whether the data folder of an emulator has an id that it gave, or a file that it served at a URL. The error
 * says why the folder cannot be read; a folder that does not exist has nothing.
 */
export function readKeptNames(dataDir: string): Result<(idOrUrl: string) => boolean, string> {
  try {
    const names = new Set<string>(filesIn(join(dataDir, FILES)));
    for (const entry of readLedger(dataDir)) if (entry.kind !== 'upload') names.add(entry.id);
    return ok((idOrUrl) => names.has(idOrUrl.slice(idOrUrl.lastIndexOf('/') + 1)));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
