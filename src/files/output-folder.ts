import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { makeFolder, syncFolder } from '../util/atomic-file.ts';
import { isFolder, unlessExists } from '../util/new-file.ts';

export interface OutputFolder {
  readonly folder: string;
  /** `outputs.dir`: relative to that. */
  readonly dir: string;
}

/**
 * `path` is relative to the manifest's folder. `outputs.dir` itself may be a link, for example to a larger disk; a link
 * below it would lead files to another place, so the error names it and nothing is written.
 */
export async function makeOutputFolder({ folder, dir }: OutputFolder, path: string): Promise<void> {
  const base = join(folder, dir);
  const below = relative(base, dirname(join(folder, path)))
    .split(sep)
    .filter(Boolean);
  // A folder below it shows that it is there.
  if (below.length === 0) await makeFolder(base);
  let at = base;
  for (const name of below) {
    const above = at;
    at = join(at, name);
    // Not by a thread: a download asks four times, and a thread costs more than the answer.
    if (isFolder(at, lstatSync(at, { throwIfNoEntry: false }))) continue;
    await makeFolder(above);
    // Another download may make it at the same moment.
    await mkdir(at).catch(unlessExists);
    await syncFolder(above);
  }
}
