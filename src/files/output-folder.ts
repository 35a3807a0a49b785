import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { makeFolder, syncFolder } from '../util/atomic-file.ts';
import { isFolder, unlessExists } from '../util/new-file.ts';
import { checkOwn, type OutputFolder, placeOf } from './own-place.ts';

/**
 * `path` is relative to the manifest's folder. `outputs.dir` itself may be a link, for example to a larger disk; a link
 * below it would lead files to another place, so the error names it and nothing is written.
 */
export async function makeOutputFolder(place: OutputFolder, path: string): Promise<void> {
  checkOwn(place, path);
  await makeFolderBelow(placeOf(place, place.dir), dirname(placeOf(place, path)));
}

/** `folder` may be anywhere, but no link is followed on the way to it from `base`. */
export async function makeFolderBelow(base: string, folder: string): Promise<void> {
  const below = relative(base, resolve(folder))
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
