import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, OutputFile } from '../model/payload.ts';
import type { DownloadResult } from '../model/result.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { extensionOf } from '../util/media-type.ts';
import type { OutputFolder } from './output-folder.ts';
import { renameOlder } from './rename-older.ts';
import { setAside } from './set-aside.ts';

/** A whole file that does not have its final name yet. */
export interface Part {
  readonly part: string;
  readonly file: Omit<OutputFile, 'path'>;
}

interface Named {
  readonly files: readonly OutputFile[];
  readonly renamed: NonNullable<DownloadResult['renamed']>;
}

/** Renames the files of older takes, then gives every part its name. */
export async function nameFiles(
  parts: readonly Part[],
  payload: DownloadPayload,
  place: OutputFolder,
): Promise<Named> {
  const contents = new Set(parts.map(({ file }) => file.sha256));
  const renamed = await renameOlder(place, payload, contents);
  const unnamed = parts.map(({ file }) => ({ ...file, path: extensionOf(file.contentType) }));
  const names = fileNames(payload.path, unnamed);
  const files: OutputFile[] = [];
  for (const [index, { part, file }] of parts.entries()) {
    const path = names[index] ?? payload.path;
    const target = join(place.folder, path);
    // Somebody's own work may be there, or a post that the manifest no longer names: nothing is overwritten.
    await setAside(target, file.sha256);
    await rename(part, target);
    files.push({ path, ...file });
  }
  await syncFolder(dirname(join(place.folder, payload.path)));
  return { files, renamed };
}
