/** The blocks of a progressive JPEG's scans above the first coefficient. */
import type { BitReader, HuffmanTable } from './huffman-codes.ts';
import type { Scan } from './jpeg-frame.ts';

interface Progressive {
  readonly scan: Scan;
  readonly ac: HuffmanTable;
  /** Two numbers a block: the bits of its coefficients that are not zero so far. */
  readonly known: Int32Array;
}

const NO_CODE = -1;
const BLOCK_ENDS = -2;

/** One component's scan, or what of it stands between restart markers: block after block is asked for. */
export class ProgressiveReader {
  /** So many blocks have nothing more in this scan. */
  private emptyBlocks = 0;
  private readonly reader: BitReader;
  private readonly own: Progressive;

  constructor(reader: BitReader, own: Progressive) {
    this.reader = reader;
    this.own = own;
  }

  isRead(block: number): boolean {
    return this.own.scan.high > 0 ? this.isRefined(block) : this.isBegun(block);
  }

  /** How many zeros stand before a coefficient, and how long it is: four bits each. */
  private next(): number {
    const code = this.reader.symbol(this.own.ac);
    const zeros = code >> 4;
    if (code < 0 || (code & 15) > 0 || zeros === 15) return code < 0 ? NO_CODE : code;
    this.emptyBlocks = (1 << zeros) + this.reader.take(zeros);
    return BLOCK_ENDS;
  }

  private isBegun(block: number): boolean {
    const { from, to } = this.own.scan;
    for (let at = from; at <= to && this.emptyBlocks === 0; at += 1) {
      const code = this.next();
      if (code === NO_CODE) return false;
      if (code === BLOCK_ENDS) break;
      at += code >> 4;
      const size = code & 15;
      if (size > 0 && at > to) return false;
      this.reader.skip(size);
      if (size > 0) add(this.own.known, { block, at });
    }
    if (this.emptyBlocks > 0) this.emptyBlocks -= 1;
    return true;
  }

  private isRefined(block: number): boolean {
    const { known, scan } = this.own;
    let at = scan.from;
    while (at <= scan.to && this.emptyBlocks === 0) {
      const code = this.next();
      if (code === BLOCK_ENDS) break;
      const size = code & 15;
      if (code === NO_CODE || size > 1) return false;
      this.reader.skip(size);
      at = this.pass(block, { from: at, zeros: code >> 4 });
      if (size === 1 && at > scan.to) return false;
      if (size === 1) add(known, { block, at });
      at += 1;
    }
    if (this.emptyBlocks === 0) return true;
    this.emptyBlocks -= 1;
    this.reader.skip(countKnown(known, { block, from: at, to: scan.to }));
    return true;
  }

  /** Passes over so many coefficients that are zero so far, and reads a bit of each other one; returns the next place. */
  private pass(block: number, { from, zeros }: { from: number; zeros: number }): number {
    const { to } = this.own.scan;
    let left = zeros;
    for (let at = from; at <= to; at += 1) {
      if (isKnown(this.own.known, { block, at })) this.reader.skip(1);
      else if (left === 0) return at;
      else left -= 1;
    }
    return to + 1;
  }
}

interface Place {
  readonly block: number;
  readonly at: number;
}

function isKnown(known: Int32Array, { block, at }: Place): boolean {
  return (((known[2 * block + (at >> 5)] as number) >>> (at & 31)) & 1) === 1;
}

function add(known: Int32Array, { block, at }: Place): void {
  const index = 2 * block + (at >> 5);
  known[index] = (known[index] as number) | (1 << (at & 31));
}

function countKnown(known: Int32Array, { block, from, to }: { block: number; from: number; to: number }) {
  if (from > to) return 0;
  const [low, high] = [known[2 * block] as number, known[2 * block + 1] as number];
  const first = from < 32 ? low & (-1 << from) & upTo(to) : 0;
  const second = to < 32 ? 0 : high & (from < 32 ? -1 : -1 << (from - 32)) & upTo(to - 32);
  return ones(first) + ones(second);
}

/** The bits from 0 to this one. */
function upTo(bit: number): number {
  return bit >= 31 ? -1 : (1 << (bit + 1)) - 1;
}

function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
