/**
 * Reads a log from its bytes; docs/state-log.md says which records count. What an interrupted write leaves (the
 * beginning of a line, zeros) was never acknowledged, so nothing depends on it. Anything else is damage, and no line
 * may be dropped: it could be an intent, and then something would be made a second time.
 *
 * Made for a million lines: one buffer for all of them, and a short-lived string for each. Blocks or strings as long as
 * the file would cost more in garbage collection than everything else.
 */
import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import type { LogRecord, RecordPlace } from '../../log/log-record.ts';
import { decodeHeader, isHeaderFragment, type LogHeader } from './header.ts';
import { decodeRecord } from './record.ts';
import { readSeal, SEAL_LENGTH } from './seal.ts';

export type LogReading =
  | {
      readonly type: 'read';
      /** Absent where the log is empty, or ends within its header: nothing was ever recorded. */
      readonly header: LogHeader | undefined;
      readonly chain: RecordPlace;
      /** Bytes that count; what follows, up to `size`, is unfinished. */
      readonly end: number;
      readonly size: number;
      /** CRC-32 of all bytes. */
      readonly sum: number;
      /** The last line that counts lacks its newline. */
      readonly newlineMissing: boolean;
    }
  | {
      readonly type: 'newer';
      /** Counted from 1, the header included. */
      readonly line: number;
      readonly what: string;
    }
  | {
      readonly type: 'damaged';
      readonly line: number;
      /** Of the line's first byte. */
      readonly offset: number;
      readonly why: string;
    };

type Refusal = Exclude<LogReading, { type: 'read' }>;

/** Bytes that are read at once: few of a small log, because memory that is asked for has a price, and more of a large one. */
const FIRST_BLOCK = 1 << 16;
const LARGEST_BLOCK = 1 << 20;
/** Many times what any line of campaign has. A longer one would be held whole, until nothing could hold it. */
export const LONGEST_LINE = 1 << 28;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

const OTHER_ENDS =
  'it ends with CR LF, which git or an editor has made of it: put `*.state.jsonl -text` into .gitattributes';

export const TOO_LONG = `it has more than ${LONGEST_LINE / 2 ** 20} MiB, and no line that campaign writes is that long`;

type Visit = (record: LogRecord, crc: number) => void;

export function readLog(file: Pick<FileHandle, 'read'>, visit: Visit): Promise<LogReading> {
  return createLogReader(visit)(file);
}

/**
 * Reads a log, and when it is called again what was added since: lines that end in a newline are read once. It stops at the
 * first damage; after that, or where the last line lacks its newline, it must not be called again.
 */
export function createLogReader(visit: Visit): (file: Pick<FileHandle, 'read'>) => Promise<LogReading> {
  const lines = new LineReader(visit);
  /** Of complete lines. */
  let end = 0;
  let sum = 0;
  return async (file) => {
    let buffer = Buffer.allocUnsafe(FIRST_BLOCK);
    /** Bytes at the beginning of the buffer that are no complete line yet. */
    let rest = 0;
    let isFull = false;
    for (;;) {
      const isLongLine = rest === buffer.length;
      if (isLongLine && rest >= LONGEST_LINE) return lines.tooLong();
      if (isLongLine || (isFull && buffer.length < LARGEST_BLOCK))
        buffer = Buffer.concat([buffer], buffer.length * 2);
      const { bytesRead } = await file.read(buffer, rest, buffer.length - rest, end + rest);
      if (bytesRead === 0) {
        const tail = buffer.subarray(0, rest);
        return lines.finish(tail, { size: end + rest, sum: crc32(tail, sum) });
      }
      const bytes = buffer.subarray(0, rest + bytesRead);
      isFull = bytes.length === buffer.length;
      const complete = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
      const refusal = lines.take(complete);
      if (refusal) return refusal;
      end += complete.length;
      sum = crc32(complete, sum);
      rest = bytes.copy(buffer, 0, complete.length);
    }
  };
}

class LineReader {
  #header: LogHeader | undefined;
  #chain: RecordPlace = { seq: 0, crc: 0 };
  #line = 1;
  #offset = 0;
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  /** `block` is empty or ends with a newline. */
  take(block: Buffer): Refusal | undefined {
    const encoding = isAscii(block) ? 'latin1' : 'utf8';
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf(NEWLINE, start);
      const bytes = block.subarray(start, end);
      const refusal = this.#takeLine(bytes, bytes.toString(encoding));
      if (refusal) return refusal;
      this.#offset += end + 1 - start;
      start = end + 1;
    }
    return undefined;
  }

  /** `rest` is what follows the last newline. */
  finish(rest: Buffer, all: { readonly size: number; readonly sum: number }): LogReading {
    const tail = withoutZeros(rest);
    const newlineMissing = readSeal(tail) !== undefined;
    if (newlineMissing) {
      const refusal = this.#takeLine(tail, tail.toString());
      if (refusal) return refusal;
      this.#offset += tail.length;
    } else if (this.#holdsLine(tail)) {
      return this.#damaged('something follows its end: it was changed');
    } else if (!this.#header && !isHeaderFragment(tail)) {
      return this.#damaged('it is not the header of a state');
    }
    const read = { header: this.#header, chain: this.#chain, end: this.#offset, newlineMissing, ...all };
    return { type: 'read', ...read };
  }

  #takeLine(bytes: Buffer, text: string): Refusal | undefined {
    if (bytes[bytes.length - 1] === RETURN) return this.#damaged(OTHER_ENDS);
    if (this.#header) {
      const decoded = decodeRecord({ bytes, text }, this.#chain);
      if (!decoded.ok) {
        const { error } = decoded;
        if (typeof error === 'string') return this.#damaged(error);
        return { type: 'newer', line: this.#line, ...error };
      }
      const { record, crc } = decoded.value;
      this.#chain = { seq: record.seq, crc };
      this.#visit(record, crc);
    } else {
      const decoded = decodeHeader(bytes);
      if (decoded.type === 'newer')
        return { type: 'newer', line: 1, what: `its format is ${decoded.format}` };
      if (decoded.type === 'bad') return this.#damaged(decoded.why);
      this.#header = decoded.header;
      this.#chain = { seq: decoded.header.seq, crc: decoded.crc };
    }
    this.#line++;
    return undefined;
  }

  /**
   * Whether there is a whole line at the beginning of a tail without a newline. No interrupted write leaves that: the
   * newline itself was changed, and the line was acknowledged.
   */
  #holdsLine(tail: Buffer): boolean {
    for (let at = tail.indexOf(',"crc":"'); at >= 0; at = tail.indexOf(',"crc":"', at + 1)) {
      const line = tail.subarray(0, at + SEAL_LENGTH);
      const holds = this.#header
        ? decodeRecord({ bytes: line, text: line.toString() }, this.#chain).ok
        : decodeHeader(line).type === 'header';
      if (holds) return true;
    }
    return false;
  }

  tooLong(): Refusal {
    return this.#damaged(TOO_LONG);
  }

  #damaged(why: string): Refusal {
    return { type: 'damaged', line: this.#line, offset: this.#offset, why };
  }
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
