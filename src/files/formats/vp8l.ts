/** Follows the data of a lossless WebP (RFC 9649, 3) as a decoder does, but makes no pixels of them. */
import { LowBitReader, type PrefixCode, prefixCode } from './prefix-codes.ts';

/** Bytes behind the last pixel. More are pixels whose place others took. */
const MOST_LEFT = 16;
const SIGNATURE = 0x2f;
const HEAD_BYTES = 5;

export function isVp8lWhole(data: Buffer): Generator<void, boolean> {
  const head = data.length < HEAD_BYTES ? 0 : data.readUInt32LE(1);
  const size = { width: (head & 0x3fff) + 1, height: ((head >> 14) & 0x3fff) + 1 };
  const isKnown = data[0] === SIGNATURE && head >>> 29 === 0;
  return isLosslessWhole(isKnown ? data : Buffer.alloc(0), { ...size, start: HEAD_BYTES });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Also of what is transparent in a lossy WebP, which has no head of its own. It yields now and then. */
export function* isLosslessWhole(
  data: Buffer,
  { width, height, start }: Size & { start: number },
): Generator<void, boolean> {
  const reader = new LowBitReader(data, start);
  try {
    const across = readTransforms(reader, { width, height });
    yield* readPixels(reader, readCodes(reader, { width: across, height, isMain: true }));
  } catch (error) {
    if (error === NO_CODE) return false;
    throw error;
  }
  return !reader.isPast && reader.left <= MOST_LEFT;
}

/** Thrown where the data make no sense. */
const NO_CODE = new Error('no code');

const [PREDICTOR, COLOURS, , PALETTE] = [0, 1, 2, 3];

/** Returns the width of what follows: a line of a picture of few colours has several pixels in one. */
function readTransforms(reader: LowBitReader, { width, height }: Size): number {
  let across = width;
  for (let seen = 0; reader.take(1); seen += 1) {
    const kind = reader.take(2);
    if (seen > 3) throw NO_CODE;
    if (kind === PREDICTOR || kind === COLOURS) {
      const bits = reader.take(3) + 2;
      readSmall(reader, { width: shared(across, bits), height: shared(height, bits) });
    } else if (kind === PALETTE) {
      const colours = reader.take(8) + 1;
      readSmall(reader, { width: colours, height: 1 });
      across = shared(across, colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0);
    }
  }
  return across;
}

function shared(size: number, bits: number): number {
  return Math.ceil(size / 2 ** bits);
}

/** A small picture that belongs to the data, at once. */
function readSmall(reader: LowBitReader, size: Size, pixels?: Uint32Array): void {
  const codes = readCodes(reader, { ...size, isMain: false });
  for (const walk = readPixels(reader, { ...codes, pixels }); !walk.next().done; );
}

/** For green, lengths and the cache; red; blue; transparency; distances. */
type Group = readonly [PrefixCode, PrefixCode, PrefixCode, PrefixCode, PrefixCode];

interface Codes extends Size {
  readonly groups: readonly Group[];
  /** Which group a pixel has, by the place of the square that it is in. */
  readonly squares:
    | { readonly bits: number; readonly across: number; readonly groupAt: Uint32Array }
    | undefined;
  readonly cacheBits: number;
  /** Gets the pixels, where they are needed. */
  readonly pixels?: Uint32Array | undefined;
}

function readCodes(reader: LowBitReader, { width, height, isMain }: Size & { isMain: boolean }): Codes {
  const cacheBits = reader.take(1) ? reader.take(4) : 0;
  if (cacheBits > 11) throw NO_CODE;
  const squares = isMain && reader.take(1) ? readSquares(reader, { width, height }) : undefined;
  const count = squares ? squares.groupAt.reduce((most, group) => Math.max(most, group), 0) + 1 : 1;
  const groups: Group[] = [];
  const cached = cacheBits ? 1 << cacheBits : 0;
  for (let n = 0; n < count; n += 1) {
    if (reader.isPast) throw NO_CODE;
    const [green, ...others] = [280 + cached, 256, 256, 256, 40].map((symbols) => readCode(reader, symbols));
    groups.push([green, ...others] as unknown as Group);
  }
  return { width, height, groups, squares, cacheBits };
}

function readSquares(reader: LowBitReader, { width, height }: Size) {
  const bits = reader.take(3) + 2;
  const size = { width: shared(width, bits), height: shared(height, bits) };
  const pixels = new Uint32Array(size.width * size.height);
  readSmall(reader, size, pixels);
  return { bits, across: size.width, groupAt: pixels.map((pixel) => (pixel >>> 8) & 0xffff) };
}

const ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

function readCode(reader: LowBitReader, symbols: number): PrefixCode {
  const lengths = reader.take(1) ? simpleLengths(reader, symbols) : codedLengths(reader, symbols);
  return prefixCode(lengths) ?? noCode();
}

function noCode(): never {
  throw NO_CODE;
}

function simpleLengths(reader: LowBitReader, symbols: number): Uint8Array {
  const lengths = new Uint8Array(Math.max(256, symbols));
  const isTwo = reader.take(1) === 1;
  lengths[reader.take(reader.take(1) ? 8 : 1)] = 1;
  if (isTwo) lengths[reader.take(8)] = 1;
  return lengths;
}

function codedLengths(reader: LowBitReader, symbols: number): Uint8Array {
  const ofLengths = new Uint8Array(ORDER.length);
  const count = 4 + reader.take(4);
  for (const symbol of ORDER.slice(0, count)) ofLengths[symbol] = reader.take(3);
  const code = prefixCode(ofLengths) ?? noCode();
  let left = reader.take(1) ? 2 + reader.take(2 + 2 * reader.take(3)) : symbols;
  const lengths = new Uint8Array(symbols);
  let before = 8;
  for (let symbol = 0; symbol < symbols && left > 0; left -= 1) {
    const length = reader.symbol(code);
    if (length < 0) throw NO_CODE;
    if (length < 16) {
      lengths[symbol++] = length;
      if (length > 0) before = length;
      continue;
    }
    const times =
      length === 16 ? 3 + reader.take(2) : length === 17 ? 3 + reader.take(3) : 11 + reader.take(7);
    if (symbol + times > symbols) throw NO_CODE;
    if (length === 16) lengths.fill(before, symbol, symbol + times);
    symbol += times;
  }
  return lengths;
}

const YIELD_PIXELS = 1 << 17;

function* readPixels(reader: LowBitReader, codes: Codes): Generator<void> {
  const { width, height, groups, squares, pixels } = codes;
  const cache = pixels && codes.cacheBits > 0 ? new Uint32Array(1 << codes.cacheBits) : undefined;
  const all = width * height;
  const groupOf = (at: number): Group => {
    if (!squares) return groups[0] as Group;
    const [x, y] = [at % width, Math.floor(at / width)];
    return groups[
      squares.groupAt[(y >> squares.bits) * squares.across + (x >> squares.bits)] as number
    ] as Group;
  };
  const keep = (at: number, pixel: number) => {
    if (!pixels) return;
    pixels[at] = pixel;
    if (cache) cache[Math.imul(0x1e35a7bd, pixel) >>> (32 - codes.cacheBits)] = pixel;
  };
  for (let [at, turn] = [0, YIELD_PIXELS]; at < all; ) {
    const [green, red, blue, transparency, distances] = groupOf(at);
    const symbol = reader.symbol(green);
    if (symbol < 0 || reader.isPast) throw NO_CODE;
    if (symbol < 256) {
      const [r, b, a] = [reader.symbol(red), reader.symbol(blue), reader.symbol(transparency)];
      if (r < 0 || b < 0 || a < 0) throw NO_CODE;
      keep(at, ((a << 24) | (r << 16) | (symbol << 8) | b) >>> 0);
      at += 1;
    } else if (symbol < 280) {
      const length = readAmount(reader, symbol - 256);
      const distance = distanceOf(readAmount(reader, reader.symbol(distances)), width);
      if (distance > at || at + length > all) throw NO_CODE;
      if (pixels) for (let n = at; n < at + length; n += 1) keep(n, pixels[n - distance] as number);
      at += length;
    } else {
      keep(at, cache?.[symbol - 280] ?? 0);
      at += 1;
    }
    if (at < turn) continue;
    turn = at + YIELD_PIXELS;
    yield;
  }
}

function readAmount(reader: LowBitReader, symbol: number): number {
  if (symbol < 0) throw NO_CODE;
  if (symbol < 4) return symbol + 1;
  const bits = (symbol - 2) >> 1;
  return (2 + (symbol & 1)) * 2 ** bits + reader.take(bits) + 1;
}

/** The nearest pixels first: how many lines above, and 8 less how many to the left, four bits each. */
const NEAR = Buffer.from(
  [
    '1807171928062729161a262a38053739151b363a252b48044749141c353b464a242c58454b343c03',
    '5759131d565a232d444c555b333d68026769121e666a222e545c434d656b323e78017779535d111f',
    '646c424e767a212f757b313f636d525e00747c414f1020626e30737d515f40727e616f50717f6070',
  ].join(''),
  'hex',
);

function distanceOf(code: number, width: number): number {
  if (code > NEAR.length) return code - NEAR.length;
  const near = NEAR[code - 1] as number;
  return Math.max(1, (near >> 4) * width + 8 - (near & 15));
}
