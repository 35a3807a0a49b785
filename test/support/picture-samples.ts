/** Pictures as cameras, phones and editors write them, and what becomes of them on a bad card or line. */
import sharp from 'sharp';
import { box } from './media-samples.ts';

/** Soft shapes with some noise, the same each time: a photo, as far as encoders can tell. */
export function photo(width = 480, height = 360, channels: 1 | 3 | 4 = 3) {
  const pixels = Buffer.alloc(width * height * channels);
  let random = 7;
  for (let at = 0; at < pixels.length; at += 1) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    const [pixel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    pixels[at] = 128 + 60 * Math.sin(x / 23 + channel) + 40 * Math.cos(y / 17) + (random >>> 28) * 2;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

export function withHole(whole: Buffer, share: number, fill: string | number = 0): Buffer {
  const at = Math.floor(whole.length * share);
  return Buffer.from(whole).fill(fill, at, Math.min(whole.length, at + 4096));
}

export const JPEG_END = Buffer.from('ffd9', 'hex');

/** A grey JPEG of which each block is followed by a restart marker; one number each, as its bits are. */
export async function jpegWithRestarts(intervals: readonly Buffer[]): Promise<Buffer> {
  const grey = await photo(8 * intervals.length, 8, 1)
    .toColourspace('b-w')
    .jpeg({ optimizeCoding: false })
    .toBuffer();
  const scan = grey.indexOf(Buffer.from('ffda', 'hex'));
  const head = grey.subarray(0, scan + 2 + grey.readUInt16BE(scan + 2));
  const interval = Buffer.from('ffdd00040001', 'hex');
  const data = intervals.flatMap((bits, n) => [bits, Buffer.from([0xff, 0xd0 + (n % 8)])]).slice(0, -1);
  return Buffer.concat([head.subarray(0, scan), interval, head.subarray(scan), ...data, JPEG_END]);
}

/** A TIFF with a second page, of which the first one is `lines` lines. */
export function withSmallerPage(tiff: Buffer, lines: number): Buffer {
  const directory = tiff.readUInt32LE(4);
  const entries = tiff.readUInt16LE(directory);
  const end = directory + 2 + 12 * entries;
  const page = Buffer.from(tiff.subarray(directory, end + 4));
  const height = fieldOf(tiff, 257);
  page.writeUInt32LE(lines, height - directory + 8);
  const whole = Buffer.concat([tiff, page]);
  whole.writeUInt32LE(tiff.length, end);
  return whole;
}

/** Where a field of the first page is described: its tag, type, count, and value or place. */
export function fieldOf(tiff: Buffer, tag: number): number {
  const directory = tiff.readUInt32LE(4);
  for (let n = 0; n < tiff.readUInt16LE(directory); n += 1)
    if (tiff.readUInt16LE(directory + 2 + 12 * n) === tag) return directory + 2 + 12 * n;
  throw new Error(`there is no field ${String(tag)}`);
}

const flagged = (version: number, ...content: readonly Uint8Array[]) =>
  Buffer.concat([Buffer.from([version, 0, 0, 0]), ...content]);
const short = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const long = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The box of this type, with its head, wherever it stands. */
function boxIn(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

/** An AVIF of two by one tiles, as large photos are. */
export async function avifOfTiles(): Promise<Buffer> {
  const side = 128;
  const tile = await photo(side, side).avif({ quality: 60 }).toBuffer();
  const data = boxIn(tile, 'mdat').subarray(8);
  const grid = Buffer.concat([Buffer.from([0, 0, 0, 1]), short(2 * side, side)]);
  const size = (width: number) => box('ispe', flagged(0, long(width), long(side)));
  const properties = box('ipco', boxIn(tile, 'av1C'), boxIn(tile, 'pixi'), size(side), size(2 * side));
  const uses = (id: number, ...own: readonly number[]) =>
    Buffer.concat([short(id), Buffer.from([own.length, ...own])]);
  const item = (id: number, type: string) =>
    box('infe', flagged(2, short(id, 0), Buffer.from(`${type}\0`, 'latin1')));
  const description = (dataAt: number) => {
    const place = (id: number, at: number, length: number) =>
      Buffer.concat([short(id, 0, 1), long(dataAt + at), long(length)]);
    return box(
      'meta',
      flagged(
        0,
        box('hdlr', flagged(0, long(0), Buffer.from('pict'), Buffer.alloc(13))),
        box('pitm', flagged(0, short(1))),
        box(
          'iloc',
          flagged(
            0,
            Buffer.from([0x44, 0]),
            short(3),
            place(1, 0, grid.length),
            place(2, grid.length, data.length),
            place(3, grid.length, data.length),
          ),
        ),
        box('iinf', flagged(0, short(3), item(1, 'grid'), item(2, 'av01'), item(3, 'av01'))),
        box('iref', flagged(0, box('dimg', short(1, 2, 2, 3)))),
        box(
          'iprp',
          properties,
          box('ipma', flagged(0, long(3), uses(1, 4, 2), uses(2, 1, 2, 3), uses(3, 1, 2, 3))),
        ),
      ),
    );
  };
  const head = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  const before = head.length + description(0).length + 8;
  return Buffer.concat([head, description(before), box('mdat', grid, data)]);
}
