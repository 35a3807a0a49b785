import { itemPlaces } from './formats/box-items.ts';
import type { MediaBytes } from './media-bytes.ts';

/** One box of an ISO base media file (MP4, QuickTime, HEIC, AVIF): its type and the place of its content. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** No real film has more boxes side by side; a file with more is made to keep the program busy. */
const MOST_BOXES = 100_000;

/** What is wrong with an MP4 or QuickTime file; undefined where all boxes are complete and it has a film. */
export async function filmProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const boxes = await boxesOf(media, { start: 0, end: size });
  if (typeof boxes === 'string') return boxes;
  const index = boxes.find(({ type }) => type === 'moov');
  if (!index) return 'it has no index of its frames (no moov box)';
  if (!boxes.some(({ type }) => type === 'mdat')) return 'it has no frames (no mdat box)';
  const parts = await boxesOf(media, index);
  if (typeof parts === 'string') return parts;
  return parts.some(({ type }) => type === 'trak') ? undefined : 'it has no track';
}

/**
 * As `filmProblem`, for a picture. Where it says at which places its data are, these have to be there, and what else
 * follows does not matter.
 */
export async function boxedPictureProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const { boxes, problem } = await readBoxes(media, { start: 0, end: size });
  const meta = boxes.find(({ type }) => type === 'meta');
  const places = meta && (await placesIn(media, meta));
  if (places) return places.every(({ at, length }) => at + length <= size) ? undefined : CUT_DATA;
  if (problem) return problem;
  // An animation may have no other picture than the ones of its film.
  return (meta ?? boxes.some(({ type }) => type === 'moov'))
    ? undefined
    : 'it describes no picture (no meta box)';
}

/** Undefined where it does not say. */
async function placesIn(media: MediaBytes, { start, end }: Box) {
  const { boxes } = await readBoxes(media, { start: start + FLAGS_BYTES, end });
  const list = boxes.find(({ type }) => type === 'iloc');
  if (!list || list.end - list.start > MOST_LIST_BYTES) return undefined;
  const length = list.end - list.start;
  const { buffer, bytesRead } = await media.read(Buffer.alloc(length), 0, length, list.start);
  return itemPlaces(buffer.subarray(0, bytesRead));
}

const FLAGS_BYTES = 4;
const MOST_LIST_BYTES = 2 ** 24;

async function boxesOf(media: MediaBytes, range: Pick<Box, 'start' | 'end'>): Promise<Box[] | string> {
  const { boxes, problem } = await readBoxes(media, range);
  return problem ?? boxes;
}

/** Those up to the first one that cannot be read, and why. */
async function readBoxes(
  media: MediaBytes,
  { start, end }: Pick<Box, 'start' | 'end'>,
): Promise<{ boxes: Box[]; problem?: string }> {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await media.read(Buffer.alloc(16), 0, 16, at);
    const short = buffer.readUInt32BE(0);
    const head = short === 1 ? 16 : 8;
    if (bytesRead < head || at + head > end) return { boxes, problem: CUT };
    // 1: the size follows the type, in 64 bits; 0: the box ends with the file.
    const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short || end - at;
    if (size < head || boxes.length >= MOST_BOXES) return { boxes, problem: 'its boxes make no sense' };
    if (at + size > end) return { boxes, problem: CUT };
    boxes.push({ type: buffer.toString('latin1', 4, 8), start: at + head, end: at + size });
    at += size;
  }
  return { boxes };
}

const CUT = 'it ends before its last box does';
const CUT_DATA = 'it ends before its data do';
