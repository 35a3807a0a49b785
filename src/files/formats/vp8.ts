/** Follows the data of a lossy WebP (VP8 key frame, RFC 6386) as a decoder does, but makes no pixels of them. */
import { BoolReader } from './bool-reader.ts';
import { COEFFICIENT_PROBABILITIES, MODE_PROBABILITIES, UPDATE_PROBABILITIES } from './vp8-tables.ts';

/** So many bytes may be read behind the end: the last bits of a part can be left out where they are zeros. */
const AHEAD = 1;
/** Bytes behind the last block. More are blocks whose place others took. */
const MOST_LEFT = 8;

/** Whether each part of the data is read to its end, and not beyond. It yields after each line of blocks. */
export function* isVp8Whole(data: Buffer): Generator<void, boolean> {
  const head = readHead(data);
  if (!head) return false;
  const { modes, parts, columns, rows } = head;
  const above = { modes: new Uint8Array(4 * columns), filled: new Uint8Array(9 * columns) };
  for (let row = 0; row < rows; row += 1) {
    const part = parts[row % parts.length] as BoolReader;
    const left = { modes: new Uint8Array(4), filled: new Uint8Array(9) };
    for (let column = 0; column < columns; column += 1) {
      const { isSplit, isEmpty } = readModes(head, { above: above.modes, left: left.modes, column });
      const filled = { above: above.filled.subarray(9 * column, 9 * column + 9), left: left.filled };
      if (isEmpty) clear(filled, isSplit);
      else readBlocks(part, { probabilities: head.probabilities, ...filled, isSplit });
    }
    if (modes.past > AHEAD || part.past > AHEAD) return false;
    yield;
  }
  return [modes, ...parts].every(({ left }) => left <= MOST_LEFT);
}

type Head = NonNullable<ReturnType<typeof readHead>>;

const HEAD_BYTES = 10;

function readHead(data: Buffer) {
  if (data.length < HEAD_BYTES || data.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  const tag = data.readUIntLE(0, 3);
  if ((tag & 1) !== 0) return undefined;
  const end = HEAD_BYTES + (tag >> 5);
  const modes = new BoolReader(data, HEAD_BYTES, end);
  modes.number(2);
  const segments = modes.bit(128) ? readSegments(modes) : undefined;
  modes.number(1 + 6 + 3);
  if (modes.bit(128) && modes.bit(128)) for (let n = 0; n < 8; n += 1) modes.passOptional(6);
  const parts = partsFrom(data, end, 1 << modes.number(2));
  modes.number(7);
  for (let n = 0; n < 5; n += 1) modes.passOptional(4);
  modes.number(1);
  const probabilities = Buffer.from(COEFFICIENT_PROBABILITIES);
  for (let n = 0; n < probabilities.length; n += 1)
    if (modes.bit(UPDATE_PROBABILITIES[n] as number)) probabilities[n] = modes.number(8);
  const empty = modes.bit(128) ? modes.number(8) : undefined;
  const { width, height } = sizeOfVp8(data);
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  return { modes, segments, parts, probabilities, empty, columns, rows };
}

export function sizeOfVp8(data: Buffer) {
  if (data.length < HEAD_BYTES) return { width: 0, height: 0 };
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** The probabilities of the tree that says the segment of a block, if each block says it. */
function readSegments(modes: BoolReader): number[] | undefined {
  const [isMap, isData] = [modes.bit(128), modes.bit(128)];
  if (isData) {
    modes.bit(128);
    for (const bits of [7, 7, 7, 7, 6, 6, 6, 6]) modes.passOptional(bits);
  }
  return isMap ? Array.from({ length: 3 }, () => (modes.bit(128) ? modes.number(8) : 255)) : undefined;
}

/** The coefficients, in up to eight parts; the sizes of all but the last stand before them. */
function partsFrom(data: Buffer, from: number, count: number): BoolReader[] {
  const parts: BoolReader[] = [];
  let start = from + 3 * (count - 1);
  for (let n = 0; n < count; n += 1) {
    const at = from + 3 * n;
    const isLast = n === count - 1;
    const size = isLast || at + 3 > data.length ? data.length - start : data.readUIntLE(at, 3);
    parts.push(new BoolReader(data, start, start + size));
    start += size;
  }
  return parts;
}

interface Modes {
  readonly above: Uint8Array;
  readonly left: Uint8Array;
  readonly column: number;
}

/** As trees: a number above 0 is the place of the next two, any other one the mode. */
const SMALL_MODES = [0, 2, -1, 4, -2, 6, 8, 12, -3, 10, -5, -6, -4, 14, -7, 16, -8, -9];

function readModes({ modes, segments, empty }: Head, { above, left, column }: Modes) {
  if (segments) modes.bit(segments[modes.bit(segments[0] as number) ? 2 : 1] as number);
  const isEmpty = empty !== undefined && modes.bit(empty) === 1;
  const isSplit = modes.bit(145) === 0;
  if (isSplit) {
    for (let n = 0; n < 16; n += 1) {
      const [x, y] = [4 * column + (n & 3), n >> 2];
      const probabilities = 9 * (10 * (above[x] as number) + (left[y] as number));
      let mode = 0;
      do
        mode = SMALL_MODES[
          mode + modes.bit(MODE_PROBABILITIES[probabilities + (mode >> 1)] as number)
        ] as number;
      while (mode > 0);
      above[x] = left[y] = -mode;
    }
  } else {
    const mode = modes.bit(156) ? (modes.bit(128) ? 1 : 3) : modes.bit(163) ? 2 : 0;
    above.fill(mode, 4 * column, 4 * column + 4);
    left.fill(mode);
  }
  if (modes.bit(142) && modes.bit(114)) modes.bit(183);
  return { isSplit, isEmpty };
}

/** Whether the blocks above and to the left have coefficients: one of averages, four of brightness, four of colours. */
interface Filled {
  readonly above: Uint8Array;
  readonly left: Uint8Array;
}

function clear({ above, left }: Filled, isSplit: boolean): void {
  for (const filled of [above, left]) filled.fill(0, isSplit ? 1 : 0);
}

interface Blocks extends Filled {
  readonly probabilities: Uint8Array;
  readonly isSplit: boolean;
}

/** By kind: averages, brightness without and with them, colours. */
const [WITHOUT_AVERAGE, AVERAGES, COLOURS, WITH_AVERAGE] = [0, 1, 2, 3];

function readBlocks(part: BoolReader, { probabilities, above, left, isSplit }: Blocks): void {
  const read = (kind: number, x: number, y: number) => {
    const before = (above[x] as number) + (left[y] as number);
    above[x] = left[y] = hasCoefficients(part, { probabilities, kind, before }) ? 1 : 0;
  };
  if (!isSplit) read(AVERAGES, 0, 0);
  const brightness = isSplit ? WITH_AVERAGE : WITHOUT_AVERAGE;
  for (let n = 0; n < 16; n += 1) read(brightness, 1 + (n & 3), 1 + (n >> 2));
  for (const first of [5, 7]) for (let n = 0; n < 4; n += 1) read(COLOURS, first + (n & 1), first + (n >> 1));
}

const BANDS = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0];
/** Probabilities of the further bits of large coefficients, by how large they are. */
const FURTHER = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
] as const;

interface Block {
  readonly probabilities: Uint8Array;
  readonly kind: number;
  readonly before: number;
}

function hasCoefficients(part: BoolReader, { probabilities, kind, before }: Block): boolean {
  let at = kind === WITHOUT_AVERAGE ? 1 : 0;
  const placeOf = (context: number) => 11 * (3 * (8 * kind + (BANDS[at] as number)) + context);
  let place = placeOf(before);
  const bit = (n: number) => part.bit(probabilities[place + n] as number);
  if (!bit(0)) return false;
  do {
    while (!bit(1)) {
      at += 1;
      if (at === 16) return true;
      place = placeOf(0);
    }
    const isLarge = bit(2) === 1;
    if (isLarge) passLarge(part, bit);
    part.bit(128);
    at += 1;
    if (at === 16) return true;
    place = placeOf(isLarge ? 2 : 1);
  } while (bit(0));
  return true;
}

function passLarge(part: BoolReader, bit: (n: number) => 0 | 1): void {
  if (!bit(3)) {
    if (bit(4)) bit(5);
  } else if (!bit(6)) {
    for (const probability of bit(7) ? [165, 145] : [159]) part.bit(probability);
  } else {
    const size = bit(8);
    for (const probability of FURTHER[2 * size + bit(9 + size)] ?? []) part.bit(probability);
  }
}
