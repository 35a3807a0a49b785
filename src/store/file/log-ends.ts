import { isJsonObject, parseJson } from '../../util/json.ts';
import { decodeHeader, type HeaderReading } from './header.ts';
import type { LogMemory } from './log-memory.ts';
import type { ChainEnd } from './record.ts';

/** Looks at a log that goes by in pieces, and keeps no more of it than its first and its last line. */
export interface LogEnds {
  take(bytes: Buffer): void;
  /** What the log would be remembered as; undefined where it is none that this version can read. */
  memory(): LogMemory | undefined;
}

/** No first line of ours is this long. */
const LONGEST_HEADER = 1 << 16;

const NEWLINE = 0x0a;

export function createLogEnds(): LogEnds {
  let head = Buffer.alloc(0);
  /** From the beginning of the last complete line on. */
  let tail = Buffer.alloc(0);
  return {
    take(bytes) {
      if (head.length < LONGEST_HEADER) head = Buffer.concat([head, bytes.subarray(0, LONGEST_HEADER)]);
      const all = Buffer.concat([tail, bytes]);
      const end = all.lastIndexOf(NEWLINE);
      // A copy: a view would keep all that came before alive.
      tail = Buffer.from(end < 1 ? all : all.subarray(all.lastIndexOf(NEWLINE, end - 1) + 1));
    },
    memory() {
      const [first = ''] = linesOf(head);
      const reading = decodeHeader(Buffer.from(first));
      if (reading.type !== 'header') return undefined;
      const { lineage } = reading.header;
      // What was cut off behind the last line was never acknowledged, unless it is a whole record without its newline.
      const found = linesOf(tail)
        .reverse()
        .map(stated)
        .find((one) => one !== undefined);
      const last = found ?? (linesOf(tail).includes(first) ? beforeRecords(reading) : undefined);
      return { lineage, ...(last && { last }) };
    },
  };
}

/** Git may have given the lines other ends (core.autocrlf): they say the same. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString()
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

/** What a record states about itself; undefined for any other line. */
function stated(line: string): ChainEnd | undefined {
  const json = parseJson(line);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { seq, event, crc } = json.value;
  if (typeof seq !== 'number' || event === undefined || typeof crc !== 'string') return undefined;
  return { seq, crc: Number.parseInt(crc, 16) };
}

function beforeRecords({ header, crc }: Extract<HeaderReading, { type: 'header' }>): ChainEnd {
  return { seq: header.seq, crc: header.last ?? crc };
}
