import { open } from 'node:fs/promises';
import { declaredTypeOf, mediaTypeOf, resultTypeOf } from '../util/media-type.ts';
import { MOST_HELD_BYTES, pictureProblem } from './decode-picture.ts';
import { readGif } from './formats/gif.ts';
import { readJpeg } from './formats/jpeg-frame.ts';
import { type Range, readTiff } from './formats/tiff.ts';
import { boxedPictureProblem, filmProblem } from './media-boxes.ts';
import { bytesIn, type MediaBytes } from './media-bytes.ts';
import { readTextContent, TEXT_HEAD_BYTES } from './text-content.ts';
import { webmProblem } from './webm-elements.ts';

export type CheckedMedia =
  /** Whole to its end. */
  | { readonly type: 'verified'; readonly contentType: string }
  /** It may be whole, but nothing here can verify that: `problem` says why. */
  | Unverified
  /** Empty, a web page or a message: never the file of a post. */
  | { readonly type: 'no-result'; readonly problem: string };

interface Unverified {
  readonly type: 'unverified';
  readonly contentType: string;
  readonly problem: string;
  /** What its type has at the end is missing. */
  readonly isCut: boolean;
}

/**
 * Examines a whole picture or video, because a file that was cut before it was sent has the length that was announced.
 * `declared` is the type that the sender gave, for content that shows none; `content` is all of the file, where it is in
 * memory already. `decode` says what is wrong with its pixels.
 */
export async function checkMedia(
  path: string,
  { declared, content, decode = pictureProblem }: CheckOptions = {},
): Promise<CheckedMedia> {
  if (content) return examine(bytesIn(content), { size: content.length, source: content, declared, decode });
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return await examine(handle, { size, source: path, declared, decode });
  } finally {
    await handle.close();
  }
}

interface CheckOptions {
  readonly declared?: string | undefined;
  readonly content?: Buffer | undefined;
  readonly decode?: typeof pictureProblem;
}

interface Examined extends Required<Pick<CheckOptions, 'decode'>> {
  readonly size: number;
  readonly source: string | Buffer;
  readonly declared: string | undefined;
}

/** `source` is what a decoder opens. */
async function examine(
  bytes: MediaBytes,
  { size, source, declared, decode }: Examined,
): Promise<CheckedMedia> {
  if (size === 0) return { type: 'no-result', problem: 'it is empty' };
  const head = await bytesAt(bytes, { at: 0, length: Math.min(size, TEXT_HEAD_BYTES) });
  const contentType = mediaTypeOf(head);
  if (contentType === undefined) return otherContent(head, { size, declared });
  const endProblem = await END_PROBLEMS[contentType]?.(bytes, size);
  // The pixels of HEIC need a decoder that is patented.
  const isDecoded = contentType.startsWith('image/') && contentType !== 'image/heic';
  const problem = (isDecoded ? await decode(source, contentType) : undefined) ?? endProblem;
  if (problem === undefined) return { type: 'verified', contentType };
  return { type: 'unverified', contentType, problem, isCut: endProblem !== undefined };
}

function otherContent(
  head: Buffer,
  { size, declared }: { size: number; declared: string | undefined },
): CheckedMedia {
  const known = resultTypeOf(head);
  const text = known === undefined ? readTextContent(head, size) : undefined;
  if (text?.type === 'message') return { type: 'no-result', problem: text.problem };
  const contentType = text?.type === 'svg' ? 'image/svg+xml' : (known ?? declaredTypeOf(declared));
  const isNamed = known !== undefined || text?.type === 'svg';
  const problem = isNamed ? 'files of this type are not looked through' : 'its content is of no known type';
  return { type: 'unverified', contentType, problem, isCut: false };
}

const END_MISSING = 'its end is missing';

/** Decoders stop at the last pixel, but these formats have more after it. */
const PNG_END = 'IEND\xae\x42\x60\x82';

/** Some programs append data of any length to a PNG. */
async function pngEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  for await (const block of blocksFromEnd(media, size, PNG_END.length))
    if (block.includes(PNG_END)) return undefined;
  return END_MISSING;
}

async function gifEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  if (size > MOST_HELD_BYTES) return undefined;
  return readGif(await bytesAt(media, { at: 0, length: size })).isEnded ? undefined : END_MISSING;
}

/** A decoder may have guessed the last pixels of a JPEG that was cut. Cameras and editors append data after its end. */
async function jpegEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  if (size > MOST_HELD_BYTES) return undefined;
  return readJpeg(await bytesAt(media, { at: 0, length: size })).isEnded ? undefined : END_MISSING;
}

/** Its parts may stand in any order. */
async function tiffEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const read = (range: Range) =>
    bytesAt(media, { at: range.at, length: Math.min(range.length, Math.max(0, size - range.at)) });
  const { isDescribed, pieces } = await readTiff(read);
  return isDescribed && pieces.every(({ at, length }) => at + length <= size) ? undefined : END_MISSING;
}

/** The size follows the first four letters. */
async function webpEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const head = await bytesAt(media, { at: 0, length: 8 });
  return head.readUInt32LE(4) + 8 > size ? END_MISSING : undefined;
}

const BLOCK = 1 << 16;

/** From the last block to the first, each with the first bytes of the one before, where a mark may be cut. */
async function* blocksFromEnd(media: MediaBytes, size: number, markBytes: number): AsyncGenerator<string> {
  for (let to = size; to >= markBytes; to -= BLOCK - markBytes + 1) {
    const at = Math.max(0, to - BLOCK);
    yield (await bytesAt(media, { at, length: to - at })).toString('latin1');
  }
}

async function bytesAt(media: MediaBytes, { at, length }: { at: number; length: number }): Promise<Buffer> {
  const { buffer, bytesRead } = await media.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

type EndProblem = (media: MediaBytes, size: number) => Promise<string | undefined>;

/** What a file of a type lacks at its end. */
const END_PROBLEMS: Readonly<Record<string, EndProblem>> = {
  'image/avif': boxedPictureProblem,
  'image/gif': gifEndProblem,
  'image/heic': boxedPictureProblem,
  'image/jpeg': jpegEndProblem,
  'image/png': pngEndProblem,
  'image/tiff': tiffEndProblem,
  'image/webp': webpEndProblem,
  'video/mp4': filmProblem,
  'video/quicktime': filmProblem,
  'video/webm': webmProblem,
};
