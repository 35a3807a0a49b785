import path from 'node:path';
import pLimit from 'p-limit';
import type { HashedImage } from '../model/payload.ts';
import type { Disk, FileLook } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { ExaminePhoto, Picture } from './examine-photo.ts';
import { imageProblem, type ImageProblem, readImage } from './read-image.ts';
import { openStatCache } from './stat-cache.ts';

/** How many files are read at once: enough to use the disk, few enough for 150 MB of memory. */
const AT_ONCE = 4;

/** 2 GB: the largest file that the client sends. */
const LARGEST_BYTES = 2 * 1024 ** 3;

export type ReadPhoto = HashedImage & Picture;

/** By path. Only files that changed since the last time are read; the problems of all files are found. */
export async function hashImages(options: {
  disk: Disk;
  /** Absolute; `files` are relative to it. */
  folder: string;
  files: readonly string[];
  /** Undefined where nothing may be written yet. */
  cacheFile: string | undefined;
  /** Looks at what a file shows, once. */
  examine?: ExaminePhoto;
  /** The largest file that the service takes. */
  mostBytes?: number | undefined;
  onProgress?: (done: number, total: number) => void;
}): Promise<Result<ReadonlyMap<string, ReadPhoto>, readonly ImageProblem[]>> {
  const { disk, folder, onProgress, examine, mostBytes } = options;
  const cache = options.cacheFile === undefined ? undefined : await openStatCache(options.cacheFile);
  const images = new Map<string, ReadPhoto>();
  const problems: ImageProblem[] = [];
  const unread: Unread[] = [];
  for (const file of new Set(options.files)) {
    const stats = check(disk, file, { path: path.resolve(folder, file), mostBytes });
    if ('code' in stats) problems.push(stats);
    else {
      const known = cache?.find(file, stats);
      if (known && (known.isExamined || !examine)) images.set(file, known.photo);
      else unread.push({ file, stats, known: known?.photo });
    }
  }
  let done = 0;
  const limit = pLimit(AT_ONCE);
  const read = async ({ file, stats, known }: Unread) => {
    const at = path.resolve(folder, file);
    const image = known ?? (await limit(() => readImage({ file, path: at, stats })));
    const picture = 'code' in image ? image : await examine?.(file, at);
    onProgress?.(++done, unread.length);
    if ('code' in image) return void problems.push(image);
    if (picture && 'code' in picture) return void problems.push(picture);
    const photo = { ...image, ...picture };
    images.set(file, photo);
    cache?.put(photo, { stats, isExamined: picture !== undefined });
  };
  await Promise.all(unread.map(read));
  await cache?.save();
  return problems.length > 0 ? err(problems.sort((a, b) => (a.file < b.file ? -1 : 1))) : ok(images);
}

interface Unread {
  readonly file: string;
  readonly stats: FileLook;
  /** It was read before, but nobody has looked at it. */
  readonly known: ReadPhoto | undefined;
}

function check(
  disk: Disk,
  file: string,
  { path: absolute, mostBytes = LARGEST_BYTES }: { path: string; mostBytes: number | undefined },
): FileLook | ImageProblem {
  const stats = disk.stat(absolute);
  if (stats.type === 'nothing')
    return imageProblem(file, 'cannot-read-image', 'is not there or cannot be reached.');
  if (stats.type !== 'file') return imageProblem(file, 'not-a-file', 'is not a regular file.');
  if (stats.size > LARGEST_BYTES)
    return imageProblem(file, 'image-too-large', 'has more than 2 GB, the most that is sent.');
  if (stats.size > mostBytes) {
    const [has, most] = [stats.size.toLocaleString('en'), mostBytes.toLocaleString('en')];
    return imageProblem(
      file,
      'image-too-large',
      `has ${has} bytes, and service.max_upload_bytes is ${most}.`,
    );
  }
  return stats;
}
