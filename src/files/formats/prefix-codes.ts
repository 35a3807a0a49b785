/** Reads the prefix codes of a lossless WebP, whose bits begin with the lowest one of a byte. */

const PEEKED = 8;
const LONGEST = 15;

export interface PrefixCode {
  /** By the next bits: `symbol << 4 | length`; 0 where the code is longer. */
  readonly short: Uint16Array;
  /** By length: how many codes have it. */
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
  /** Where there is no other symbol, no bit is read for it. */
  readonly only: number | undefined;
}

/** `lengths` has one for each symbol, 0 where it has no code. Undefined where they make no code. */
export function prefixCode(lengths: Uint8Array): PrefixCode | undefined {
  const counts = new Uint16Array(LONGEST + 1);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  counts[0] = 0;
  const sorted = [...lengths.keys()].filter((symbol) => lengths[symbol]);
  sorted.sort((a, b) => (lengths[a] as number) - (lengths[b] as number));
  const symbols = Uint16Array.from(sorted);
  if (sorted.length === 1) return { short: symbols, counts, symbols, only: symbols[0] };
  const taken = counts.reduce((sum, count, length) => sum + (count << (LONGEST - length)), 0);
  if (taken !== 1 << LONGEST) return undefined;
  const short = new Uint16Array(1 << PEEKED);
  for (let [length, code, at] = [1, 0, 0]; length <= PEEKED; length += 1, code <<= 1)
    for (let n = 0; n < (counts[length] as number); n += 1, code += 1, at += 1)
      for (let bits = reversed(code, length); bits < short.length; bits += 1 << length)
        short[bits] = ((symbols[at] as number) << 4) | length;
  return { short, counts, symbols, only: undefined };
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let n = 0; n < length; n += 1) bits |= ((code >> n) & 1) << (length - 1 - n);
  return bits;
}

/** Behind the end it gives zeros, and `isPast` says that it did. */
export class LowBitReader {
  private bits = 0;
  private held = 0;
  private past = 0;
  private at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, start: number) {
    this.bytes = bytes;
    this.at = start;
  }

  /** At least 24 bits are held afterwards. */
  private fill(): void {
    for (; this.held < 24; this.held += 8)
      if (this.at < this.bytes.length) this.bits |= (this.bytes[this.at++] as number) << this.held;
      else this.past += 8;
  }

  /** At most 24. */
  take(count: number): number {
    if (this.held < count) this.fill();
    const value = this.bits & ((1 << count) - 1);
    this.bits >>>= count;
    this.held -= count;
    return value;
  }

  /** -1 where no code begins like this. */
  symbol({ short, counts, symbols, only }: PrefixCode): number {
    if (only !== undefined) return only;
    if (this.held < LONGEST) this.fill();
    const found = short[this.bits & ((1 << PEEKED) - 1)] as number;
    if (found !== 0) {
      this.bits >>>= found & 15;
      this.held -= found & 15;
      return found >> 4;
    }
    for (let [length, code, first, at] = [1, 0, 0, 0]; length <= LONGEST; length += 1) {
      code |= this.take(1);
      const count = counts[length] as number;
      if (code - first < count) return symbols[at + code - first] as number;
      at += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

  get isPast(): boolean {
    return this.past > this.held;
  }

  /** Whole bytes of which nothing was used. */
  get left(): number {
    return this.bytes.length - this.at + ((this.held - this.past) >> 3);
  }
}
