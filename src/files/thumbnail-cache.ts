/**
 * Small pictures by the SHA-256 of what they were made from, in `.campaign/thumbnails/`, which may be deleted at any time. A name holds
 * the size of the picture and the checksum of the file, so that nothing else has to be written, and nothing is synced: what a
 * power cut leaves does not fit its name, and is made anew.
 */
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { realDisk } from '../util/disk.ts';
import { checkFolderPlace, makeIgnoredFolder, unlessExists } from '../util/new-file.ts';
import { SHRUNK, type ShrunkAs, type ShrunkPicture } from './shrink-picture.ts';

/** A small picture that can be had. */
export interface Thumbnail {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly read: () => Buffer;
}

export type ThumbnailCache = Awaited<ReturnType<typeof openThumbnails>>;

const NAME = /^([0-9a-f]{64})\.(\d+)\.(\d+)x(\d+)\.([0-9a-f]{8})\.webp$/;
/** Far above what the largest of them takes. */
const MOST_BYTES = 16 * 1024 ** 2;
/** What no report has used for so long is removed by the next one. */
const UNUSED_MS = 30 * 24 * 3_600_000;

/** A folder that cannot be used is as an empty one: what is made is held in memory. */
export async function openThumbnails(workFolder: string) {
  const folder = join(workFolder, 'thumbnails');
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const name of await listed(folder)) {
    const [, sha256 = '', edge = ''] = NAME.exec(name) ?? [];
    if (sha256) names.set(`${sha256}.${edge}`, name);
  }
  let isReady: Promise<boolean> | undefined;

  /** Undefined where there is none, or it is damaged. */
  function find(sha256: string, as: ShrunkAs): Thumbnail | undefined {
    const name = names.get(`${sha256}.${SHRUNK[as].edge}`) ?? '';
    const [, , , width, height, sum] = NAME.exec(name) ?? [];
    if (sum === undefined) return undefined;
    const read = () => readWhole(join(folder, name));
    const content = read();
    if (sumOf(content) !== sum) return undefined;
    used.add(name);
    return { width: Number(width), height: Number(height), bytes: content.length, read };
  }

  async function keep(sha256: string, as: ShrunkAs, picture: ShrunkPicture): Promise<Thumbnail> {
    const { webp, width, height } = picture;
    const { edge } = SHRUNK[as];
    const name = `${sha256}.${edge}.${width}x${height}.${sumOf(webp)}.webp`;
    const held = { width, height, bytes: webp.length, read: () => webp };
    if (!(await (isReady ??= makeFolder(workFolder, folder)))) return held;
    try {
      await writeAside(join(folder, name), webp);
    } catch {
      // A full disk keeps no cache, and is no reason to fail.
      return held;
    }
    names.set(`${sha256}.${edge}`, name);
    return find(sha256, as) ?? held;
  }

  /** Removes what was not used for long. */
  async function prune(now: number): Promise<void> {
    for (const name of await listed(folder)) {
      if (used.has(name)) continue;
      const file = join(folder, name);
      const stats = await lstat(file).catch(() => undefined);
      if (stats?.isFile() && now - stats.mtimeMs > UNUSED_MS)
        await rm(file, { force: true }).catch(() => undefined);
    }
  }

  return { find, keep, prune };
}

/** Empty where it is not there any more. */
function readWhole(file: string): Buffer {
  const content = realDisk.read(file, MOST_BYTES);
  return Buffer.isBuffer(content) ? content : Buffer.alloc(0);
}

function listed(folder: string): Promise<string[]> {
  return checkFolderPlace(folder)
    .then((isThere) => (isThere ? readdir(folder) : []))
    .catch(() => []);
}

function makeFolder(workFolder: string, folder: string): Promise<boolean> {
  const make = async () => {
    await makeIgnoredFolder(workFolder);
    if (!(await checkFolderPlace(folder))) await mkdir(folder, { mode: 0o700 }).catch(unlessExists);
    return true;
  };
  return make().catch(() => false);
}

let written = 0;

async function writeAside(file: string, content: Buffer): Promise<void> {
  const aside = `${file}.${process.pid}-${++written}.tmp`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.close();
    await rename(aside, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(aside, { force: true });
    throw error;
  }
}

function sumOf(content: Buffer): string {
  return crc32(content).toString(16).padStart(8, '0');
}
