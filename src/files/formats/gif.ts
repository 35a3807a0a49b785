/** Whether the pixels of a GIF are all there: of what its frames lack, decoders make background. */
import { setImmediate as turn } from 'node:timers/promises';

interface Gif {
  /** Its last mark is there; what follows it is no part of the picture. */
  readonly isEnded: boolean;
  readonly frames: readonly Frame[];
}

interface Frame {
  readonly pixels: number;
  readonly bitsOfColour: number;
  /** The LZW codes, which stand in blocks. */
  readonly codes: readonly Buffer[];
}

const EXTENSION = 0x21;
const FRAME = 0x2c;
const END = 0x3b;

export function readGif(bytes: Buffer): Gif {
  const frames: Frame[] = [];
  // Behind the head and the colours of all frames.
  for (let at = 13 + coloursAt(bytes, 10); at < bytes.length; ) {
    const mark = bytes[at];
    if (mark === END) return { isEnded: true, frames };
    if (mark === EXTENSION) at = blocksFrom(bytes, at + 2).end;
    else if (mark === FRAME && at + 10 < bytes.length) {
      const pixels = bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7);
      const codesAt = at + 10 + coloursAt(bytes, at + 9);
      const { blocks, end } = blocksFrom(bytes, codesAt + 1);
      frames.push({ pixels, bitsOfColour: bytes[codesAt] ?? 0, codes: blocks });
      at = end;
      // Decoders pass over single bytes that are no mark.
    } else at += 1;
  }
  return { isEnded: false, frames };
}

export async function isGifWhole(bytes: Buffer): Promise<boolean> {
  const { frames } = readGif(bytes);
  for (const frame of frames) {
    if (!isFrameWhole(frame)) return false;
    await turn();
  }
  return frames.length > 0;
}

/** The bytes of a table of colours; the byte at this place says whether there is one. */
function coloursAt(bytes: Buffer, at: number): number {
  const flags = bytes[at] ?? 0;
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/** Each block begins with its length, and an empty one is the last. */
function blocksFrom(bytes: Buffer, from: number): { blocks: Buffer[]; end: number } {
  const blocks: Buffer[] = [];
  let at = from;
  for (let size = bytes[at]; size; size = bytes[at]) {
    blocks.push(bytes.subarray(at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { blocks, end: at + 1 };
}

/** Bytes behind the last pixel. More are pixels whose place others took. */
const MOST_LEFT = 64;

const MOST_CODES = 4096;

/** Whether the LZW codes of a frame make as many pixels as it has. */
function isFrameWhole({ pixels: all, bitsOfColour, codes }: Frame): boolean {
  const data = Buffer.concat(codes);
  if (bitsOfColour < 1 || bitsOfColour > 11) return false;
  const clear = 1 << bitsOfColour;
  /** How many pixels each code makes. */
  const lengths = new Uint32Array(MOST_CODES).fill(1, 0, clear);
  let [next, width, before] = [clear + 2, bitsOfColour + 1, 0];
  let [at, pixels, bits, held] = [0, 0, 0, 0];
  while (pixels < all) {
    for (; held < width && at < data.length; held += 8) bits |= (data[at++] as number) << held;
    if (held < width) return false;
    const code = bits & ((1 << width) - 1);
    bits >>>= width;
    held -= width;
    if (code === clear + 1) return false;
    if (code === clear) {
      [next, width, before] = [clear + 2, bitsOfColour + 1, 0];
      continue;
    }
    if (code > next || (code === next && before === 0)) return false;
    if (before > 0 && next < MOST_CODES) {
      lengths[next++] = before + 1;
      if (next === 1 << width && width < 12) width += 1;
    }
    before = lengths[code] as number;
    pixels += before;
  }
  return pixels === all && data.length - at <= MOST_LEFT;
}
