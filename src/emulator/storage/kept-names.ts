import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLedger } from './ledger.ts';

/** The folder of uploads and generated files in a data folder. */
export const FILES = 'files';

/** Whether the data folder of an emulator knows an id that it gave, or has a file that it served at a URL. */
export function readKeptNames(dataDir: string): (idOrUrl: string) => boolean {
  const names = new Set<string>(filesIn(join(dataDir, FILES)));
  for (const entry of readLedger(dataDir)) if (entry.kind !== 'upload') names.add(entry.id);
  return (idOrUrl) => names.has(idOrUrl.slice(idOrUrl.lastIndexOf('/') + 1));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
