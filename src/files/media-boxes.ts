import type { FileHandle } from 'node:fs/promises';

/** One box of an ISO base media file (MP4, QuickTime, HEIC, AVIF): its type and where its content lies. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** More boxes side by side than any real film has: what is larger is a trap. */
const MOST_BOXES = 100_000;

/** What is wrong with a file of boxes; undefined where all are there to their last byte and it has a film. */
export async function filmProblem(handle: FileHandle, size: number): Promise<string | undefined> {
  const boxes = await boxesOf(handle, { start: 0, end: size });
  if (typeof boxes === 'string') return boxes;
  const index = boxes.find(({ type }) => type === 'moov');
  if (!index) return 'it has no index of its frames (no moov box)';
  if (!boxes.some(({ type }) => type === 'mdat')) return 'it has no frames (no mdat box)';
  const parts = await boxesOf(handle, index);
  if (typeof parts === 'string') return parts;
  return parts.some(({ type }) => type === 'trak') ? undefined : 'it has no track';
}

/** The same for a picture in such a file. */
export async function boxedPictureProblem(handle: FileHandle, size: number): Promise<string | undefined> {
  const boxes = await boxesOf(handle, { start: 0, end: size });
  if (typeof boxes === 'string') return boxes;
  return boxes.some(({ type }) => type === 'meta') ? undefined : 'it describes no picture (no meta box)';
}

/** The boxes between two places, or what is wrong with them. */
async function boxesOf(
  handle: FileHandle,
  { start, end }: Pick<Box, 'start' | 'end'>,
): Promise<Box[] | string> {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, at);
    const short = buffer.readUInt32BE(0);
    const head = short === 1 ? 16 : 8;
    if (bytesRead < head || at + head > end) return CUT;
    // 1: the size is written behind the type, in 64 bits; 0: the box goes on to the end of the file.
    const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short || end - at;
    if (size < head || boxes.length >= MOST_BOXES) return 'its boxes make no sense';
    if (at + size > end) return CUT;
    boxes.push({ type: buffer.toString('latin1', 4, 8), start: at + head, end: at + size });
    at += size;
  }
  return boxes;
}

const CUT = 'it ends before its last box does';
