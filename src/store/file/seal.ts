/**
 * The end of every line of the log, `,"crc":"xxxxxxxx"}`: a CRC-32 over the bytes before it, continued from the line
 * before. So a line that was changed, lost, doubled, swapped or copied shows in that line or the next one.
 */
import { crc32 } from 'node:zlib';

const OPENING = Buffer.from(',"crc":"');
const DIGITS = 8;

export const SEAL_LENGTH = OPENING.length + DIGITS + '"}'.length;

const QUOTE = 0x22;
const BRACE = 0x7d;

/** Where the chain of a log begins. */
export function seedOf(lineage: string): number {
  return crc32(lineage);
}

/** `open` is a JSON object without its closing brace, `before` the checksum of the line before. */
export function seal(open: string, before: number): { line: string; crc: number } {
  const crc = crc32(open, before);
  return { line: `${open},"crc":"${spellCrc(crc)}"}\n`, crc };
}

export function spellCrc(crc: number): string {
  return crc.toString(16).padStart(DIGITS, '0');
}

/** The checksum of a line (without its newline); undefined when it is missing, misspelt or wrong. */
export function checkSeal(line: Buffer, before: number): number | undefined {
  const crc = crc32(line.subarray(0, -SEAL_LENGTH), before);
  return crc === readSeal(line) ? crc : undefined;
}

/** The checksum that a line has, right or wrong; undefined where it has none. */
export function readSeal(line: Uint8Array): number | undefined {
  const start = line.length - SEAL_LENGTH;
  if (line[line.length - 1] !== BRACE || line[line.length - 2] !== QUOTE) return undefined;
  for (let i = 0; i < OPENING.length; i++) if (line[start + i] !== OPENING[i]) return undefined;
  let value = 0;
  for (let i = start + OPENING.length; i < line.length - 2; i++) {
    // Within the line, because the loop above has found the beginning of the checksum in it.
    const digit = hexDigit(line[i] as number);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** Lower case only, so that no flipped bit turns one accepted spelling into another. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x61 + 10;
  return -1;
}
