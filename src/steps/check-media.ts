import { open, type FileHandle } from 'node:fs/promises';
import { MEDIA_TYPE_BYTES, mediaTypeOf } from '../util/media-type.ts';
import { pictureProblem } from './decode-picture.ts';
import { boxedPictureProblem, filmProblem } from './media-boxes.ts';
import { webmProblem } from './webm-elements.ts';

/** What a file is by its content, and what is wrong with it; `problem` is absent where it can be shown as it is. */
export interface CheckedMedia {
  readonly contentType?: string;
  readonly problem?: string;
}

/** Looks through a whole picture or video: a file that was cut where it was made has the right length and is no good. */
export async function checkMedia(path: string): Promise<CheckedMedia> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size === 0) return { problem: 'it is empty' };
    const contentType = mediaTypeOf(await bytesAt(handle, { at: 0, length: MEDIA_TYPE_BYTES }));
    if (contentType === undefined) return { problem: 'its content is of no known type' };
    const problem = await problemOf(handle, { path, size, contentType });
    return { contentType, ...(problem === undefined ? {} : { problem }) };
  } finally {
    await handle.close();
  }
}

async function problemOf(
  handle: FileHandle,
  { path, size, contentType }: { path: string; size: number; contentType: string },
): Promise<string | undefined> {
  switch (contentType) {
    case 'video/mp4':
    case 'video/quicktime':
      return filmProblem(handle, size);
    case 'video/webm':
      return webmProblem(handle, size);
    case 'image/heic':
      // Its pixels need a decoder that is under patents.
      return boxedPictureProblem(handle, size);
    case 'image/jpeg':
      return (await pictureProblem(path)) ?? jpegEndProblem(handle, size);
    default:
      return (await pictureProblem(path)) ?? endProblem(handle, { size, contentType });
  }
}

/** Decoders stop at the last pixel; these formats have something to say after it. */
const END_MARKS: Readonly<Record<string, string>> = { 'image/png': 'IEND\xae\x42\x60\x82', 'image/gif': ';' };

async function endProblem(
  handle: FileHandle,
  { size, contentType }: { size: number; contentType: string },
): Promise<string | undefined> {
  const mark = END_MARKS[contentType] ?? '';
  const tail = await bytesAt(handle, { at: Math.max(0, size - TAIL_BYTES), length: TAIL_BYTES });
  return tail.toString('latin1').includes(mark) ? undefined : 'its end is missing';
}

const JPEG_SCAN = '\xff\xda';
const JPEG_END = '\xff\xd9';
const BLOCK = 1 << 16;

/**
 * A decoder may have guessed the last pixels of a JPEG that was cut. Neither mark occurs within a scan, so the end has to
 * stand behind the last one, wherever: cameras and editors leave much behind it.
 */
async function jpegEndProblem(handle: FileHandle, size: number): Promise<string | undefined> {
  let scan = -1;
  let end = -1;
  for (let to = size; to > 1 && scan === end; to -= BLOCK - 1) {
    const at = Math.max(0, to - BLOCK);
    const block = (await bytesAt(handle, { at, length: to - at })).toString('latin1');
    scan = block.lastIndexOf(JPEG_SCAN);
    end = block.lastIndexOf(JPEG_END);
  }
  return end > scan ? undefined : 'its end is missing';
}

/** Some programs leave a few bytes behind the end. */
const TAIL_BYTES = 64;

async function bytesAt(handle: FileHandle, { at, length }: { at: number; length: number }): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
