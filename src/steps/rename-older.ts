import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, rename, rmdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload } from '../model/payload.ts';
import type { DownloadResult } from '../model/result.ts';

type Renamed = NonNullable<DownloadResult['renamed']>;

/**
 * Moves the files of older takes out of the way: `<name>.take<n>.<ext>`, retouched or not. Safe to repeat after a crash at
 * any point: what has the content of the new take is the new take's file that was put there before the crash.
 */
export async function renameOlder(
  folder: string,
  payload: DownloadPayload,
  newContents: ReadonlySet<string>,
): Promise<Renamed> {
  const renamed: Renamed[number][] = [];
  for (const { take, path, files } of payload.older) {
    const names = fileNames(path, files);
    const moved = files.map((file, index) => ({ ...file, path: names[index] ?? file.path }));
    for (const [index, file] of files.entries()) {
      const content = await sha256Of(join(folder, file.path));
      const isNew = content !== file.sha256 && newContents.has(content ?? '');
      if (content === undefined || isNew) continue;
      await moveFile(folder, file.path, moved[index]?.path ?? file.path);
    }
    renamed.push({ take, files: moved });
  }
  return renamed;
}

/**
 * Gives an output its new name where it is on this disk; a folder without it (a fresh clone) is no error, and nothing
 * that stands at the new name is touched. The folder that it leaves empty goes.
 */
export async function moveFile(folder: string, from: string, to: string): Promise<void> {
  const source = join(folder, from);
  const target = join(folder, to);
  if (source === target || (await exists(target)) || !(await exists(source))) return;
  await mkdir(dirname(target), { recursive: true });
  await rename(source, target);
  // It still holds something: then it stays.
  await rmdir(dirname(source)).catch(() => {});
}

/** Frees a path for a file: what stands there with other content, whoever put it there, becomes `<name>.bak<n>.<ext>`. */
export async function setAside(path: string, content: string): Promise<void> {
  const there = await sha256Of(path);
  if (there === undefined || there === content) return;
  const extension = extname(path);
  const base = path.slice(0, path.length - extension.length);
  let n = 1;
  while (await exists(`${base}.bak${n}${extension}`)) n += 1;
  await rename(path, `${base}.bak${n}${extension}`);
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
