import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { makeFolder, syncFolder } from '../util/atomic-file.ts';
import { isFolder, unlessExists } from '../util/new-file.ts';
import { type OutputOwner, otherOwnerOf } from './output-owner.ts';
import { checkOwn, type OutputFolder, placeOf } from './own-place.ts';

/**
 * `path` is relative to the manifest's folder. `outputs.dir` itself may be a link, for example to a larger disk; a link
 * below it would lead files to another place, so the error names it and nothing is written.
 */
export async function makeOutputFolder(place: OutputFolder, path: string): Promise<void> {
  checkOwn(place, path);
  const inTheWay = folderOfOther(place, path);
  if (inTheWay) throw ofOther(inTheWay);
  await makeFolderBelow(placeOf(place, place.dir), dirname(placeOf(place, path)));
}

interface OtherFolder {
  readonly folder: string;
  readonly owner: OutputOwner;
}

/** A folder below the output folder, on the way to a file, that is the output folder of somebody else. */
export function folderOfOther(place: OutputFolder, path: string): OtherFolder | undefined {
  const { owner: own } = place;
  const base = placeOf(place, place.dir);
  if (!own) return undefined;
  for (let at = dirname(placeOf(place, path)); at.startsWith(base + sep); at = dirname(at)) {
    const owner = otherOwnerOf(at, own);
    if (owner) return { folder: at, owner };
  }
  return undefined;
}

function ofOther({ folder, owner: { campaign, environment } }: OtherFolder): NodeJS.ErrnoException {
  const message = `${folder} is the output folder of the campaign "${campaign}" in the environment "${environment}"`;
  return Object.assign(new Error(message), { code: 'EPERM', syscall: 'open', path: folder });
}

/** `folder` may be anywhere, but no link is followed on the way to it from `base`. */
export async function makeFolderBelow(base: string, folder: string): Promise<void> {
  const below = relative(base, resolve(folder)).split(sep).filter(Boolean);
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
