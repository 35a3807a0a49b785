import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { HashedImage } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { FileLook } from '../util/disk.ts';
import { imageTypeOf, MEDIA_TYPE_BYTES } from '../util/media-type.ts';

/** The caller knows where the manifest names the file. */
export interface ImageProblem extends Problem {
  readonly file: string;
  readonly code: string;
}

/** By code: the summary, and what to do about it. */
const WORDS = {
  'cannot-read-image': ['Image cannot be read', 'Check its permissions.'],
  'damaged-image': [
    'Photo is damaged',
    'Export it again, or take it out: what is made of it has the damage too.',
  ],
  'image-changed': ['Image changed while it was read', 'Run again.'],
  'image-too-large': ['Image is too large', 'Save it smaller.'],
  'lfs-pointer': [
    'Photo was not fetched from Git LFS',
    'Run `git lfs pull` where the manifest lies (after `git lfs install`, should git not know it).',
  ],
  'not-a-file': ['Not an ordinary file'],
  'not-an-image': ['File is not an image', 'Export it again in one of these formats, or take it out.'],
} as const;

export function imageProblem(file: string, code: keyof typeof WORDS, what: string): ImageProblem {
  const [summary, ...advice] = WORDS[code];
  return { file, code, summary, detail: [`"${file}" ${what}`, ...advice].join(' ') };
}

const CHUNK_BYTES = 512 * 1024;

export async function readImage(image: {
  file: string;
  path: string;
  /** From before it was read: a file that looks different afterwards was written to meanwhile. */
  stats: FileLook;
}): Promise<HashedImage | ImageProblem> {
  const { file, stats } = image;
  try {
    // Does not wait for a writer, in case a pipe has taken the file's place.
    const handle = await open(image.path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const content = await hashContent(handle, stats.size);
      if ('head' in content) return notAnImage(file, content.head);
      const after = await handle.stat();
      const same = after.size === stats.size && after.mtimeMs === stats.mtimeMs && after.ino === stats.ino;
      if (same) return { file, bytes: stats.size, ...content };
      return imageProblem(file, 'image-changed', 'changed while it was read.');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return imageProblem(file, 'cannot-read-image', `cannot be read. The system says: ${reason}.`);
  }
}

async function hashContent(
  handle: FileHandle,
  size: number,
): Promise<{ sha256: string; contentType: string } | { head: Buffer }> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.max(MEDIA_TYPE_BYTES, Math.min(CHUNK_BYTES, size + 1)));
  let contentType: string | undefined;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length);
    const piece = chunk.subarray(0, bytesRead);
    contentType ??= imageTypeOf(piece);
    if (contentType === undefined) return { head: piece };
    if (bytesRead === 0) return { sha256: hash.digest('hex'), contentType };
    hash.update(piece);
  }
}

/** The first line of the file that git-lfs leaves in the place of one that it did not fetch. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

function notAnImage(file: string, head: Buffer): ImageProblem {
  if (head.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER) {
    return imageProblem(file, 'lfs-pointer', 'is a Git LFS pointer: the photo itself was not fetched.');
  }
  const what = head.length === 0 ? 'is empty' : 'is not an image, whatever its name says';
  return imageProblem(file, 'not-an-image', `${what}. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF.`);
}
