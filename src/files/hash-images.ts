import path from 'node:path';
import pLimit from 'p-limit';
import type { HashedImage } from '../model/payload.ts';
import type { Disk, FileLook } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import { imageProblem, type ImageProblem, readImage } from './read-image.ts';
import { openStatCache } from './stat-cache.ts';

/** How many files are read at once: enough to use the disk, few enough for 150 MB of memory. */
const AT_ONCE = 4;

/** 2 GB: the largest file that the client sends. */
const LARGEST_BYTES = 2 * 1024 ** 3;

/** By path. Only files that changed since the last time are read; the problems of all files are found. */
export async function hashImages(options: {
  disk: Disk;
  /** Absolute; `files` are relative to it. */
  folder: string;
  files: readonly string[];
  cacheFile: string;
  onProgress?: (done: number, total: number) => void;
}): Promise<Result<ReadonlyMap<string, HashedImage>, readonly ImageProblem[]>> {
  const { disk, folder, onProgress } = options;
  const cache = await openStatCache(options.cacheFile);
  const images = new Map<string, HashedImage>();
  const problems: ImageProblem[] = [];
  const unread: { file: string; stats: FileLook }[] = [];
  for (const file of new Set(options.files)) {
    const stats = check(disk, file, path.resolve(folder, file));
    if ('code' in stats) problems.push(stats);
    else {
      const known = cache.find(file, stats);
      if (known) images.set(file, known);
      else unread.push({ file, stats });
    }
  }
  let done = 0;
  const limit = pLimit(AT_ONCE);
  const read = async ({ file, stats }: { file: string; stats: FileLook }) => {
    const image = await readImage({ file, path: path.resolve(folder, file), stats });
    onProgress?.(++done, unread.length);
    if ('code' in image) return void problems.push(image);
    images.set(file, image);
    cache.put(image, stats);
  };
  await Promise.all(unread.map((entry) => limit(read, entry)));
  await cache.save();
  return problems.length > 0 ? err(problems.sort((a, b) => (a.file < b.file ? -1 : 1))) : ok(images);
}

function check(disk: Disk, file: string, absolute: string): FileLook | ImageProblem {
  const stats = disk.stat(absolute);
  if (stats.type === 'nothing')
    return imageProblem(file, 'cannot-read-image', 'is not there or cannot be reached.');
  if (stats.type !== 'file') return imageProblem(file, 'not-a-file', 'is not a regular file.');
  if (stats.size > LARGEST_BYTES) return imageProblem(file, 'image-too-large', 'has more than 2 GB.');
  return stats;
}
