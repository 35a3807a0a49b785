import { isJsonObject, parseJson } from '../../util/json.ts';
import { decodeHeader, type HeaderReading } from './header.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { RecordPlace } from '../../log/log-record.ts';

/** Takes a log in pieces, and keeps only its first and its last line. */
export interface LogEnds {
  take(bytes: Buffer): void;
  /** How far the log goes; undefined where it is no log that this version can read. */
  checkpoint(): Checkpoint | undefined;
}

/** No header is this long. */
const LONGEST_HEADER = 1 << 16;

const NEWLINE = 0x0a;

export function createLogEnds(): LogEnds {
  const head: Buffer[] = [];
  let headLength = 0;
  /** The last complete line, and what follows it: in pieces, because a line may come in many. */
  let line: Buffer[] = [];
  let rest: Buffer[] = [];
  return {
    take(bytes) {
      // Copies, because views would keep everything in memory.
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
      // A last line without its newline was never acknowledged, unless it is a complete record.
      const found = [...tail]
        .reverse()
        .map(stated)
        .find((one) => one !== undefined);
      const last = found ?? (tail.includes(first) ? beforeRecords(reading) : undefined);
      return { lineage, ...(last && { last }) };
    },
  };
}

/** Git may have changed the line ends (core.autocrlf); that makes no difference. */
function linesOf(pieces: readonly Buffer[]): string[] {
  return Buffer.concat(pieces)
    .toString()
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

/** What a record says about itself; undefined for any other line. */
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
