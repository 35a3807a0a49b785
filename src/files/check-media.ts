import { open } from 'node:fs/promises';
import { declaredTypeOf, mediaTypeOf, resultTypeOf } from '../util/media-type.ts';
import { pictureProblem } from './decode-picture.ts';
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
  const problem = (isDecoded ? await decode(source) : undefined) ?? endProblem;
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
/** The end of its last block, and the end mark after it. */
const GIF_END = '\0;';

/** Some programs append data of any length to a PNG. */
async function pngEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  for await (const block of blocksFromEnd(media, size, PNG_END.length))
    if (block.includes(PNG_END)) return undefined;
  return END_MISSING;
}

async function gifEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const tail = await bytesAt(media, { at: Math.max(0, size - TAIL_BYTES), length: TAIL_BYTES });
  return tail.includes(GIF_END) ? undefined : END_MISSING;
}

/** The size follows the first four letters. */
async function webpEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const head = await bytesAt(media, { at: 0, length: 8 });
  return head.readUInt32LE(4) + 8 > size ? END_MISSING : undefined;
}

const JPEG_SCAN = '\xff\xda';
const JPEG_END = '\xff\xd9';
const BLOCK = 1 << 16;

/**
 * A decoder may have guessed the last pixels of a JPEG that was cut. Neither mark occurs within a scan, so the end mark
 * has to follow the last start mark somewhere: cameras and editors append data after it.
 */
async function jpegEndProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  for await (const block of blocksFromEnd(media, size, JPEG_END.length)) {
    const scan = block.lastIndexOf(JPEG_SCAN);
    const end = block.lastIndexOf(JPEG_END);
    if (scan !== end) return end > scan ? undefined : END_MISSING;
  }
  return END_MISSING;
}

/** From the last block to the first, each with the first bytes of the one before, where a mark may be cut. */
async function* blocksFromEnd(media: MediaBytes, size: number, markBytes: number): AsyncGenerator<string> {
  for (let to = size; to >= markBytes; to -= BLOCK - markBytes + 1) {
    const at = Math.max(0, to - BLOCK);
    yield (await bytesAt(media, { at, length: to - at })).toString('latin1');
  }
}

/** Some programs append a few bytes. */
const TAIL_BYTES = 64;

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
  'image/webp': webpEndProblem,
  'video/mp4': filmProblem,
  'video/quicktime': filmProblem,
  'video/webm': webmProblem,
};
