import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { checkPlace } from '../util/new-file.ts';

/** Frees a path for a file: what stands there with other content, whoever put it there, becomes `<name>.bak<n>.<ext>`. */
export async function setAside(path: string, content: string): Promise<void> {
  if (await isTaken(path)) {
    const there = await sha256Of(path);
    if (there !== content) await stepAside(path);
  }
}

/** The same whatever the content is. A pipe or a device is no work of anybody's: it is named instead. */
export async function stepAside(path: string): Promise<void> {
  const isLink = (await lstat(path)).isSymbolicLink();
  if (!isLink) await checkPlace(path);
  const extension = extname(path);
  const base = path.slice(0, path.length - extension.length);
  let n = 1;
  while (await isTaken(`${base}.bak${n}${extension}`)) n += 1;
  await rename(path, `${base}.bak${n}${extension}`);
}

/** Whether a name is in use, be it by a link that leads nowhere. */
export async function isTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether there is something to be had under a name. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Of a file, or of one that a link leads to; undefined of anything else, which is not waited for. */
export async function sha256Of(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>)
      hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
