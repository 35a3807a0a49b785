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

/** As `filmProblem`, for a picture. */
export async function boxedPictureProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const boxes = await boxesOf(media, { start: 0, end: size });
  if (typeof boxes === 'string') return boxes;
  return boxes.some(({ type }) => type === 'meta') ? undefined : 'it describes no picture (no meta box)';
}

async function boxesOf(
  media: MediaBytes,
  { start, end }: Pick<Box, 'start' | 'end'>,
): Promise<Box[] | string> {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await media.read(Buffer.alloc(16), 0, 16, at);
    const short = buffer.readUInt32BE(0);
    const head = short === 1 ? 16 : 8;
    if (bytesRead < head || at + head > end) return CUT;
    // 1: the size follows the type, in 64 bits; 0: the box ends with the file.
    const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short || end - at;
    if (size < head || boxes.length >= MOST_BOXES) return 'its boxes make no sense';
    if (at + size > end) return CUT;
    boxes.push({ type: buffer.toString('latin1', 4, 8), start: at + head, end: at + size });
    at += size;
  }
  return boxes;
}

const CUT = 'it ends before its last box does';
