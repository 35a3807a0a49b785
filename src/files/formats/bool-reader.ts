/** The arithmetic decoder of VP8 (RFC 6386, 7). Behind the end it reads zeros, and `past` says how many bytes of these. */
export class BoolReader {
  past = 0;
  private at: number;
  private value = 0;
  private range = 255;
  /** How many bits of the value stand below the byte that is compared; negative where one has to be read first. */
  private below = -8;
  private readonly bytes: Uint8Array;
  private readonly end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = Math.min(end, bytes.length);
  }

  bit(probability: number): 0 | 1 {
    while (this.below < 0) {
      if (this.at < this.end) this.value = (this.value << 8) | (this.bytes[this.at++] as number);
      else {
        this.value <<= 8;
        this.past += 1;
      }
      this.below += 8;
    }
    const split = 1 + (((this.range - 1) * probability) >> 8);
    const compared = split << this.below;
    const isOne = this.value >= compared;
    if (isOne) {
      this.value -= compared;
      this.range -= split;
    } else this.range = split;
    const shift = Math.clz32(this.range) - 24;
    this.range <<= shift;
    this.below -= shift;
    return isOne ? 1 : 0;
  }

  number(bits: number): number {
    let value = 0;
    for (let n = 0; n < bits; n += 1) value = 2 * value + this.bit(128);
    return value;
  }

  /** A number with a sign, or nothing, as a bit before it says. */
  passOptional(bits: number): void {
    if (this.bit(128)) this.number(bits + 1);
  }

  get left(): number {
    return this.end - this.at;
  }
}
