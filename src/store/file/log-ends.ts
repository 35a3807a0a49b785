import { isJsonObject, parseJson } from '../../util/json.ts';
import { decodeHeader, type HeaderReading } from './header.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { RecordPlace } from '../../log/log-record.ts';

/** Looks at a log that goes by in pieces, and keeps no more of it than its first and its last line. */
export interface LogEnds {
  take(bytes: Buffer): void;
  /** How far the log goes; undefined where it is none that this version can read. */
  checkpoint(): Checkpoint | undefined;
}

/** No first line of ours is this long. */
const LONGEST_HEADER = 1 << 16;

const NEWLINE = 0x0a;

export function createLogEnds(): LogEnds {
  const head: Buffer[] = [];
  let headLength = 0;
  /** The last complete line, and what follows it; in pieces, because a line may come in many. */
  let line: Buffer[] = [];
  let rest: Buffer[] = [];
  return {
    take(bytes) {
      // Copies: views would keep all that goes by alive.
      const copy = (from: number, to?: number) => Buffer.from(bytes.subarray(from, to));
      if (headLength < LONGEST_HEADER) head.push(copy(0, LONGEST_HEADER - headLength));
      headLength += bytes.length;
      const end = bytes.lastIndexOf(NEWLINE);
      if (end < 0) {
        rest.push(copy(0));
        return;
      }
      const start = end > 0 ? bytes.lastIndexOf(NEWLINE, end - 1) + 1 : 0;
      line = start > 0 ? [copy(start, end + 1)] : [...rest, copy(0, end + 1)];
      rest = [copy(end + 1)];
    },
    checkpoint() {
      const [first = ''] = linesOf(head);
      const tail = linesOf([...line, ...rest]);
      const reading = decodeHeader(Buffer.from(first));
      if (reading.type !== 'header') return undefined;
      const { lineage } = reading.header;
      // What was cut off behind the last line was never acknowledged, unless it is a whole record without its newline.
      const found = [...tail]
        .reverse()
        .map(stated)
        .find((one) => one !== undefined);
      const last = found ?? (tail.includes(first) ? beforeRecords(reading) : undefined);
      return { lineage, ...(last && { last }) };
    },
  };
}

/** Git may have given the lines other ends (core.autocrlf): they say the same. */
function linesOf(pieces: readonly Buffer[]): string[] {
  return Buffer.concat(pieces)
    .toString()
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

/** What a record states about itself; undefined for any other line. */
function stated(line: string): RecordPlace | undefined {
  const json = parseJson(line);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { seq, event, crc } = json.value;
  if (typeof seq !== 'number' || event === undefined || typeof crc !== 'string') return undefined;
  return { seq, crc: Number.parseInt(crc, 16) };
}

function beforeRecords({ header, crc }: Extract<HeaderReading, { type: 'header' }>): RecordPlace {
  return { seq: header.seq, crc: header.last ?? crc };
}
