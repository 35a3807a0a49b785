import { isJsonObject, parseJson } from '../../util/json.ts';
import { decodeHeader, LONGEST_HEADER } from './header.ts';
import { pointerIn } from './pointer-text.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { RecordPlace } from '../../log/log-record.ts';

const NEWLINE = 0x0a;

/** Takes a log in pieces, and keeps only its first and its last line. */
export function createLogEnds() {
  let head = Buffer.alloc(0);
  /** The last complete line, and what follows it. */
  let tail = Buffer.alloc(0);
  return {
    take(bytes: Buffer): void {
      if (head.length < LONGEST_HEADER)
        head = Buffer.concat([head, bytes.subarray(0, LONGEST_HEADER - head.length)]);
      const all = Buffer.concat([tail, bytes]);
      const end = all.lastIndexOf(NEWLINE);
      const start = end > 0 ? all.lastIndexOf(NEWLINE, end - 1) + 1 : 0;
      // A copy, because a view would keep everything in memory.
      tail = Buffer.from(all.subarray(start));
    },
    /** Whether its first bytes are these. */
    begins: (text: string): boolean => head.subarray(0, Buffer.byteLength(text)).equals(Buffer.from(text)),
    /** How far the log goes; undefined where it is no log that this version can read. */
    checkpoint(): Checkpoint | undefined {
      const [first = ''] = linesOf(head);
      const pointer = pointerIn(head.toString());
      if (pointer?.type === 'pointer') return pointer.head;
      const reading = decodeHeader(Buffer.from(first));
      if (reading.type !== 'header') return undefined;
      const { lineage, seq, last: crc = reading.crc } = reading.header;
      const lines = linesOf(tail);
      // A last line without its newline was never acknowledged, unless it is a complete record.
      const found = lines.map(stated).findLast((one) => one !== undefined);
      const last = found ?? (lines.includes(first) ? { seq, crc } : undefined);
      return { lineage, ...(last && { last }) };
    },
  };
}

/** Git may have changed the line ends (core.autocrlf); that makes no difference. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split(/\r?\n/);
}

/** What a record says about itself; undefined for any other line. */
function stated(line: string): RecordPlace | undefined {
  const json = parseJson(line);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { seq, event, crc } = json.value;
  if (typeof seq !== 'number' || event === undefined || typeof crc !== 'string') return undefined;
  return { seq, crc: Number.parseInt(crc, 16) };
}
