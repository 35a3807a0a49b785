/** Follows the entropy-coded data of a JPEG block by block, as a decoder does, but makes no pixels of them. */
import { BitReader, type HuffmanTable } from './huffman-codes.ts';
import type { Frame, Scan } from './jpeg-frame.ts';
import { ProgressiveReader } from './jpeg-progressive.ts';

/** By component, two numbers a block: the bits of its coefficients that are not zero so far. */
export type Coefficients = Map<number, Int32Array>;

/** Cameras leave a few bytes behind the last block. More than that are blocks whose place others took. */
const MOST_LEFT = 64;

/** So many blocks are followed before others have their turn. */
const BLOCKS_A_TURN = 20_000;

/** Whether the data of a scan are those of its blocks: all of them, and no more. */
export function* isScanWhole(
  bytes: Buffer,
  { frame, scan, coefficients }: { frame: Frame; scan: Scan; coefficients: Coefficients },
): Generator<void, boolean> {
  const units = unitsOf(frame, scan);
  const readUnit = unitReader(scan, coefficients, units);
  let unit = 0;
  for (const [start, end] of scan.segments) {
    const hole = holeFrom(bytes.subarray(start, end), scan);
    const reader = new BitReader(bytes, start, end);
    const isRead = readUnit(reader);
    for (const stop = Math.min(units, unit + (scan.restartInterval || units)); unit < stop; unit += 1) {
      if (!isRead(unit) || reader.isPast) return false;
      if (unit % BLOCKS_A_TURN === 0) yield;
    }
    if (!isLittle(bytes.subarray(reader.next, end))) return false;
    // A camera may fill up a file with zeros, of which nothing is read.
    if (reader.next > start + hole + MOST_LEFT) return false;
    if (unit === units) return true;
  }
  return false;
}

const HOLE = Buffer.alloc(MOST_LEFT);

/**
 * Where zeros begin that stand in the place of data; infinity where there are none. Zeros can be read, too, but only where
 * they mean that blocks are as the ones before can they be many.
 */
export function holeFrom(data: Buffer, { from, to, components }: Scan): number {
  const isOfWholeBlocks = from === 0 && to === 63;
  const canBeMany = components.every(({ dc, ac }) => dc?.symbols[0] === 0 && ac?.symbols[0] === 0);
  const at = isOfWholeBlocks && !canBeMany ? data.indexOf(HOLE) : -1;
  return at < 0 ? Infinity : at;
}

function isLittle(left: Buffer): boolean {
  return left.length <= MOST_LEFT || left.every((byte) => byte === left[0]);
}

/** Blocks, or where components are interleaved groups of blocks that show the same place. */
function unitsOf({ width, height, components }: Frame, scan: Scan): number {
  const across = Math.max(...components.map((one) => one.across));
  const down = Math.max(...components.map((one) => one.down));
  const [one, ...others] = scan.components;
  if (!one) return 0;
  if (others.length > 0) return Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
  const [w, h] = [Math.ceil((width * one.across) / across), Math.ceil((height * one.down) / down)];
  return Math.ceil(w / 8) * Math.ceil(h / 8);
}

type IsRead = (unit: number) => boolean;

function unitReader(scan: Scan, coefficients: Coefficients, units: number): (reader: BitReader) => IsRead {
  const isInterleaved = scan.components.length > 1;
  const blocks = scan.components.flatMap((one) =>
    Array.from({ length: isInterleaved ? one.across * one.down : 1 }, () => one),
  );
  const [first] = blocks;
  if (scan.from === 0 && scan.high > 0)
    return (reader) => () => {
      for (let n = 0; n < blocks.length; n += 1) reader.skip(1);
      return true;
    };
  if (scan.from === 0) {
    const onlyDc = scan.to === 0;
    return (reader) => () => {
      for (const { dc, ac } of blocks) if (!isBlockRead(reader, dc, onlyDc ? 'none' : ac)) return false;
      return true;
    };
  }
  const ac = first?.ac;
  if (!ac) return () => () => false;
  let known = coefficients.get(first.id);
  if (!known) coefficients.set(first.id, (known = new Int32Array(2 * units)));
  return (reader) => {
    const blocksOf = new ProgressiveReader(reader, { scan, ac, known });
    return (block) => blocksOf.isRead(block);
  };
}

function isBlockRead(reader: BitReader, dc: HuffmanTable | undefined, ac: HuffmanTable | 'none' | undefined) {
  if (!dc || !ac) return false;
  const size = reader.symbol(dc);
  if (size < 0 || size > 15) return false;
  reader.skip(size);
  return ac === 'none' || reader.passCoefficients(ac);
}
