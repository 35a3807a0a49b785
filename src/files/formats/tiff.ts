/** Whether a TIFF has the pieces of its first picture, which may stand anywhere in it. */
import { readJpeg } from './jpeg-frame.ts';
import { isJpegWhole } from './jpeg.ts';

const [COMPRESSION, JPEG_TABLES] = [259, 347];
/** Where the pieces are, and how long: in strips, or in tiles. */
const PIECES = [
  [273, 279],
  [324, 325],
] as const;
const IN_JPEG = 7;

export interface Range {
  readonly at: number;
  readonly length: number;
}

/** Gives what is there, at most so many bytes. */
type Read = (range: Range) => Promise<Buffer>;

export async function readTiff(read: Read) {
  const { isWhole, field } = await readDirectory(read);
  const pieces: Range[] = [];
  let isDescribed = isWhole;
  for (const [places, lengths] of PIECES) {
    const [at, length] = [await field(places), await field(lengths)];
    isDescribed &&= at.isWhole && length.isWhole;
    const sizes = length.numbers();
    for (const [n, place] of at.numbers().entries()) pieces.push({ at: place, length: sizes[n] ?? 0 });
  }
  const isJpeg = (await field(COMPRESSION)).numbers()[0] === IN_JPEG;
  return { isDescribed, pieces, isJpeg, tables: (await field(JPEG_TABLES)).bytes };
}

/** By type: how many bytes a number has. All that is read here has one of these. */
const NUMBER_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4 };

async function readDirectory(read: Read) {
  const head = await read({ at: 0, length: 8 });
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  const number = (bytes: Buffer, { at, length }: Range) => {
    if (at + length > bytes.length) return 0;
    return isLittle ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  };
  const start = number(head, { at: 4, length: 4 });
  const count = number(await read({ at: start, length: 2 }), { at: 0, length: 2 });
  const entries = await read({ at: start + 2, length: count * 12 });
  const field = async (tag: number) => {
    const entry = Array.from({ length: Math.floor(entries.length / 12) }, (_, n) =>
      entries.subarray(n * 12, n * 12 + 12),
    ).find((one) => number(one, { at: 0, length: 2 }) === tag);
    const size = (entry && NUMBER_BYTES[number(entry, { at: 2, length: 2 })]) ?? 1;
    const length = entry ? size * number(entry, { at: 4, length: 4 }) : 0;
    // What fits into four bytes stands in the place of its address.
    const isHere = !entry || length <= 4;
    const bytes = isHere
      ? (entry ?? Buffer.alloc(0)).subarray(8, 8 + length)
      : await read({ at: number(entry, { at: 8, length: 4 }), length });
    const numbers = () =>
      Array.from({ length: Math.floor(bytes.length / size) }, (_, n) =>
        number(bytes, { at: n * size, length: size }),
      );
    return { bytes, isWhole: bytes.length === length, numbers };
  };
  return { isWhole: count > 0 && entries.length === count * 12, field };
}

/** Of the pieces that are JPEGs themselves, without their common tables, decoders refuse as little as of JPEGs. */
export async function isTiffWhole(content: Buffer): Promise<boolean> {
  const read = async ({ at, length }: Range) => content.subarray(at, at + length);
  const { isJpeg, pieces, tables } = await readTiff(read);
  for (const piece of isJpeg ? pieces : []) {
    const own = await read(piece);
    // The tables end with a mark, and the piece begins with one.
    const whole = tables.length > 4 ? Buffer.concat([tables.subarray(0, -2), own.subarray(2)]) : own;
    if ((await isJpegWhole(whole, readJpeg(whole))) === false) return false;
  }
  return true;
}
