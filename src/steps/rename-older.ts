import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, OutputFile } from '../model/payload.ts';
import type { DownloadResult } from '../model/result.ts';

type Renamed = NonNullable<DownloadResult['renamed']>;

/**
 * Moves the files of older takes out of the way: `<name>.take<n>.<ext>`. Safe to repeat after a crash at any point:
 * a file is moved only while it still has the recorded content and nothing stands at its new name.
 */
export async function renameOlder(folder: string, payload: DownloadPayload): Promise<Renamed> {
  const renamed: Renamed[number][] = [];
  for (const { take, path, files } of payload.older) {
    const names = fileNames(path, files);
    const moved = files.map((file, index) => ({ ...file, path: names[index] ?? file.path }));
    for (const [index, file] of files.entries()) {
      await moveFile(folder, file, moved[index]?.path ?? file.path);
    }
    renamed.push({ take, files: moved });
  }
  return renamed;
}

/** Gives an output its new name where it is on this disk; a folder without it (a fresh clone) is no error. */
export async function moveFile(folder: string, file: OutputFile, to: string): Promise<void> {
  const source = join(folder, file.path);
  const target = join(folder, to);
  if (source === target || (await exists(target)) || (await sha256Of(source)) !== file.sha256) return;
  await rename(source, target);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}
