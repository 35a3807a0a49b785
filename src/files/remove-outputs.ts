import { lstat, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile } from '../model/payload.ts';
import { isInOther } from './output-owner.ts';
import { type OutputFolder, placeOf, whyNotOwn } from './own-place.ts';
import { sha256Of } from './sha256-of.ts';

/**
 * Removes downloaded files that are still what was downloaded, and folders that are empty then. What was changed, is a
 * link, is no file, or is not ours to delete stays.
 */
export async function removeOutputs(place: OutputFolder, files: readonly OutputFile[]): Promise<void> {
  for (const { path: name, sha256 } of files) {
    if (whyNotOwn(place, name) !== undefined) continue;
    const file = placeOf(place, name);
    if (place.owner && isInOther(file, place.owner)) continue;
    const isPlain = await lstat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (!isPlain || (await sha256Of(file)) !== sha256) continue;
    await unlink(file);
    await removeEmpty(path.dirname(file), place.folder);
  }
}

/** Folders from `from` upwards, below `top`, as long as nothing is in them. */
export async function removeEmpty(from: string, top: string): Promise<void> {
  const below = path.relative(top, from);
  if (below === '' || below.startsWith('..')) return;
  const isGone = await rmdir(from).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(path.dirname(from), top);
}
