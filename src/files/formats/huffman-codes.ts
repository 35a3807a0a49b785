/** Reads the Huffman codes of a JPEG's entropy-coded data. */

const PEEKED = 10;
/** Any other code without a coefficient ends its block. */
const SIXTEEN_ZEROS = 0xf0;
const SHORT = (1 << PEEKED) - 1;

export interface HuffmanTable {
  /** By the next bits: `length << 8 | symbol`; 0 where the code is longer. */
  readonly short: Uint16Array;
  /** By length: a code that is less, as 16 bits, is that long at most. */
  readonly below: Int32Array;
  /** By length: what is added to a code to find its symbol. */
  readonly offsets: Int32Array;
  readonly symbols: Uint8Array;
}

/** `counts` has how many codes have 1, 2, … 16 bits. Undefined where these are more than there can be. */
export function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable | undefined {
  const short = new Uint16Array(1 << PEEKED);
  const below = new Int32Array(18);
  const offsets = new Int32Array(18);
  let [code, at] = [0, 0];
  for (let length = 1; length <= 16; length += 1) {
    const count = counts[length - 1] ?? 0;
    offsets[length] = at - code;
    const places = PEEKED - length;
    for (let n = 0; n < (places < 0 ? 0 : count); n += 1)
      short.fill((length << 8) | (symbols[at + n] ?? 0), (code + n) << places, (code + n + 1) << places);
    code += count;
    at += count;
    if (code > 1 << length) return undefined;
    below[length] = code << (16 - length);
    code <<= 1;
  }
  below[17] = 1 << 17;
  return { short, below, offsets, symbols };
}

/** The bits from `start` to `end`, where no marker stands. Behind them it gives zeros, and `isPast` says that it did. */
export class BitReader {
  /** Only the lowest `held` bits count. `held` is negative where bits are to be passed over that were not read yet. */
  private bits = 0;
  private held = 0;
  private past = 0;
  private at: number;
  private readonly bytes: Uint8Array;
  private readonly end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  /** At least 17 bits are held afterwards. */
  private fill(): void {
    let { bits, held, at } = this;
    for (; held <= 16; held += 8) {
      if (at >= this.end) {
        this.past += 8;
        bits <<= 8;
        continue;
      }
      const byte = this.bytes[at++] as number;
      bits = (bits << 8) | byte;
      if (byte === 0xff) at = this.afterMark(at);
    }
    this.bits = bits;
    this.held = held;
    this.at = at;
  }

  /** As data, 0xff is written with a zero behind it, and may be repeated. */
  private afterMark(from: number): number {
    let at = from;
    while (at < this.end && this.bytes[at] === 0xff) at += 1;
    return at + 1;
  }

  /** -1 where no code begins like this. */
  symbol(table: HuffmanTable): number {
    if (this.held < 16) this.fill();
    const found = table.short[(this.bits >>> (this.held - PEEKED)) & SHORT] as number;
    if (found === 0) return this.longSymbol(table);
    this.held -= found >> 8;
    return found & 0xff;
  }

  private longSymbol({ below, offsets, symbols }: HuffmanTable): number {
    const code = (this.bits >>> (this.held - 16)) & 0xffff;
    let length = PEEKED + 1;
    while (code >= (below[length] as number)) length += 1;
    if (length > 16) return -1;
    this.held -= length;
    return symbols[(code >> (16 - length)) + (offsets[length] as number)] ?? -1;
  }

  /** The coefficients of a block from the second one on: false where their codes make no sense. */
  passCoefficients(table: HuffmanTable): boolean {
    const { short } = table;
    let { bits, held } = this;
    for (let at = 1; at < 64; ) {
      if (held < 16) {
        this.held = held;
        this.fill();
        bits = this.bits;
        held = this.held;
      }
      let code = short[(bits >>> (held - PEEKED)) & SHORT] as number;
      if (code !== 0) held -= code >> 8;
      else {
        this.held = held;
        code = this.longSymbol(table);
        if (code < 0) return false;
        held = this.held;
      }
      const size = code & 15;
      held -= size;
      at += ((code & 0xff) >> 4) + 1;
      if (size !== 0) {
        if (at > 64) return false;
      } else if ((code & 0xff) !== SIXTEEN_ZEROS) break;
    }
    this.held = held;
    return true;
  }

  /** At most 16. */
  take(count: number): number {
    if (this.held < count) this.fill();
    this.held -= count;
    return (this.bits >>> this.held) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.held -= count;
  }

  get isPast(): boolean {
    if (this.held < 0) this.fill();
    return this.past > this.held;
  }

  /** Where the first byte stands of which nothing was used. */
  get next(): number {
    return Math.min(this.end, this.at - ((this.held - this.past) >> 3));
  }
}
