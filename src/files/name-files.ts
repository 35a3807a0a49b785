import { rename, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, OutputFile } from '../model/payload.ts';
import type { DownloadResult } from '../model/result.ts';
import { extensionOf } from '../util/media-type.ts';
import { isThere } from '../util/new-file.ts';
import { isInOther } from './output-owner.ts';
import { makeOutputFolder } from './output-folder.ts';
import { checkOwn, type OutputFolder, placeOf, whyNotOwn } from './own-place.ts';
import { setAside } from './set-aside.ts';
import { sha256Of } from './sha256-of.ts';

/** A whole file that does not have its final name yet. */
export interface Part {
  readonly part: string;
  readonly file: Omit<OutputFile, 'path'>;
}

export async function nameFiles(
  parts: readonly Part[],
  payload: DownloadPayload,
  place: OutputFolder & { readonly sync: (folder: string) => Promise<void> },
) {
  const contents = new Set(parts.map(({ file }) => file.sha256));
  const renamed = await renameOlder(place, payload, contents);
  const unnamed = parts.map(({ file }) => ({ ...file, path: extensionOf(file.contentType) }));
  const names = fileNames(payload.path, unnamed);
  const files: OutputFile[] = [];
  for (const [index, { part, file }] of parts.entries()) {
    const path = names[index] ?? payload.path;
    const target = placeOf(place, path);
    // Somebody's own work may be there, or a post that the manifest no longer names: nothing is overwritten.
    await setAside(target, file.sha256);
    await rename(part, target);
    files.push({ path, ...file });
  }
  await place.sync(dirname(placeOf(place, payload.path)));
  return { files, renamed };
}

type Renamed = NonNullable<DownloadResult['renamed']>;

/**
 * Renames the files of older takes to `<name>.take<n>.<ext>`, also those that somebody has edited. What is not ours to move
 * keeps its name, on the disk and in the state. Safe to repeat after
 * a crash at any point: a file with the content of the new take was put there before the crash, and stays.
 */
export async function renameOlder(
  place: OutputFolder,
  payload: DownloadPayload,
  newContents: ReadonlySet<string>,
): Promise<Renamed> {
  const renamed: Renamed[number][] = [];
  for (const { take, path, files } of payload.older) {
    const names = fileNames(path, files);
    const moved = files.map((file, index) => {
      const name = names[index] ?? file.path;
      const isOurs = [file.path, name].every((each) => whyNotOwn(place, each) === undefined);
      return isOurs ? { ...file, path: name } : file;
    });
    for (const [index, file] of files.entries()) {
      const to = moved[index]?.path ?? file.path;
      if (to === file.path) continue;
      const content = await sha256Of(placeOf(place, file.path));
      const isNew = content !== file.sha256 && newContents.has(content ?? '');
      if (content === undefined || isNew) continue;
      await moveFile(place, file.path, to);
    }
    renamed.push({ take, files: moved });
  }
  return renamed;
}

/**
 * An output that is not on this disk (a fresh clone) is left out, and so are what is no file and what
 * lies in somebody else's output folder. Another file at the new name
 * becomes a backup. It throws where one of the two names is not ours.
 */
export async function moveFile(place: OutputFolder, from: string, to: string): Promise<void> {
  const source = placeOf(place, from);
  const target = placeOf(place, to);
  if (source === target) return;
  checkOwn(place, from);
  // What stands there now is theirs, whatever was there before.
  if (place.owner && isInOther(source, place.owner)) return;
  if (!(await stat(source).catch(() => undefined))?.isFile()) return;
  await makeOutputFolder(place, to);
  if (await isThere(target)) await setAside(target, (await sha256Of(source)) ?? '');
  await rename(source, target);
  // It is not empty, so it stays.
  await rmdir(dirname(source)).catch(() => {});
}
