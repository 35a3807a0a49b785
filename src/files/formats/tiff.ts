/** Whether a TIFF has the pieces of its first picture, which may stand anywhere in it. */
import { finished } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { readJpeg } from './jpeg-frame.ts';
import { isJpegWhole } from './jpeg.ts';

const [COMPRESSION, JPEG_TABLES] = [259, 347];
/** Where the pieces are, and how long: in strips, or in tiles. */
const PIECES = [
  [273, 279],
  [324, 325],
] as const;
const IN_JPEG = 7;
/** Of Adobe, and the older number of it. */
const DEFLATED: readonly unknown[] = [8, 32_946];

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
  const [compression] = (await field(COMPRESSION)).numbers();
  return { isDescribed, pieces, compression, tables: (await field(JPEG_TABLES)).bytes };
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

/** Of these pieces decoders refuse too little: of JPEGs as of others, and of deflated data they do not read the checksum. */
export async function isTiffWhole(content: Buffer): Promise<boolean> {
  const read = async ({ at, length }: Range) => content.subarray(at, at + length);
  const { compression, pieces, tables } = await readTiff(read);
  for (const piece of pieces) {
    const own = await read(piece);
    if (compression === IN_JPEG && !(await isJpegPiece(own, tables))) return false;
    if (DEFLATED.includes(compression) && !(await isInflated(own))) return false;
  }
  return true;
}

/** Without the tables that all pieces have in common. */
async function isJpegPiece(own: Buffer, tables: Buffer): Promise<boolean> {
  // The tables end with a mark, and the piece begins with one.
  const whole = tables.length > 4 ? Buffer.concat([tables.subarray(0, -2), own.subarray(2)]) : own;
  return (await isJpegWhole(whole, readJpeg(whole))) !== false;
}

/** A piece without bytes is left out of the picture on purpose. */
async function isInflated(bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0) return true;
  const inflate = createInflate();
  inflate.resume().end(bytes);
  return finished(inflate).then(
    () => true,
    () => false,
  );
}
