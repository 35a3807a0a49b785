/**
 * Makes a log valid again that was edited by hand: the records get new numbers and a new chain of checksums, and the
 * lineage stays. Each line says what its checksum was computed from, so every line that was changed, added or removed
 * is found; what those were before is not in the file any more.
 */
import { isJsonObject, parseJson } from '../../util/json.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { whyIncomplete } from '../../log/event-members.ts';
import type { Edit } from '../store.ts';
import { decodeHeader, encodeHeader, readHeader, whyNoHeader, type LogHeader } from './header.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { encodeRecord, whyNoObject } from './record.ts';
import { isStateEvent, type LogRecord } from '../../log/log-record.ts';
import { checkSeal, readSeal, seedOf } from './seal.ts';

/** A record as its line has it, whether its checksum is right or not. */
export interface StatedRecord extends LogRecord {
  readonly crc: number | undefined;
}

export interface ResealedLog {
  readonly header: LogHeader;
  readonly edits: readonly Edit[];
  /** As they were found. */
  readonly records: readonly StatedRecord[];
  /** With new checksums and newlines, the header first. */
  readonly lines: readonly string[];
  readonly end: RecordPlace;
}

/** Written by a newer version, which may compute checksums otherwise. */
export interface NewerLog {
  readonly format: number;
}

/** A line that is no record, and has to be corrected or removed first. */
export interface NoRecord {
  readonly line: number;
  /** Of the line's first byte. */
  readonly offset: number;
  readonly why: string;
}

const NEWLINE = 0x0a;

/** Computes the checksums of a log anew, in the order of its records. */
export function reseal(log: Buffer): Result<ResealedLog, NoRecord | NewerLog> {
  const [first, ...rest] = splitLines(log);
  const decoded = first && decodeHeader(first.bytes);
  if (decoded?.type === 'newer') return err({ format: decoded.format });
  const header = first && headerIn(first.bytes);
  if (!first || !header) return err({ line: 1, offset: 0, why: whyNoHeader(first?.bytes.toString() ?? '') });
  const edits: Edit[] = [];
  const begun = encodeHeader(header.lineage, header, { seq: header.seq, crc: header.last });
  if (checkSeal(first.bytes, seedOf(header.lineage)) === undefined)
    edits.push({ type: 'changed', line: 1, about: 'header' });
  const lines = [begun.line];
  const records: StatedRecord[] = [];
  let end: RecordPlace = { seq: header.seq, crc: begun.crc };
  let before: Before = { seq: header.seq, stated: readSeal(first.bytes) };
  for (const { line, offset, bytes, isEnded } of rest) {
    const record = readRecord(bytes);
    if (!record.ok) {
      if (isEnded ? bytes.length > 0 : isJson(bytes)) return err({ line, offset, why: record.error });
      edits.push({ type: 'left-out', line });
      continue;
    }
    const { seq, run, event } = record.value;
    edits.push(...editsOf({ line, bytes, record: record.value, before }));
    const stated = readSeal(bytes);
    before = { seq, stated };
    records.push({ ...record.value, crc: stated });
    const sealed = encodeRecord(event, run, end);
    end = sealed.end;
    lines.push(sealed.line);
  }
  return ok({ header, edits, records, lines, end });
}

interface Line {
  readonly line: number;
  readonly offset: number;
  readonly bytes: Buffer;
  /** Whether a newline follows. */
  readonly isEnded: boolean;
}

function splitLines(log: Buffer): Line[] {
  const lines: Line[] = [];
  for (let offset = 0; offset < log.length; ) {
    const newline = log.indexOf(NEWLINE, offset);
    const end = newline < 0 ? log.length : newline;
    lines.push({
      line: lines.length + 1,
      offset,
      bytes: log.subarray(offset, end),
      isEnded: newline >= 0,
    });
    offset = end + 1;
  }
  return lines;
}

/** The record before: its number, and the checksum that it has. */
interface Before {
  readonly seq: number;
  readonly stated: number | undefined;
}

function editsOf(found: { line: number; bytes: Buffer; record: LogRecord; before: Before }): Edit[] {
  const { line, bytes, record, before } = found;
  const about =
    'address' in record.event ? `${record.event.type} ${record.event.address}` : record.event.type;
  if (record.seq <= before.seq) return [{ type: 'misplaced', line, about }];
  // The record before it is gone, so nobody can tell whether this one was changed.
  if (record.seq > before.seq + 1)
    return [{ type: 'missing', line, from: before.seq + 1, to: record.seq - 1 }];
  const holds =
    before.stated === undefined
      ? readSeal(bytes) !== undefined
      : checkSeal(bytes, before.stated) !== undefined;
  return holds ? [] : [{ type: 'changed', line, about }];
}

function headerIn(bytes: Buffer): LogHeader | undefined {
  const json = parseJson(bytes.toString());
  const header = json.ok && isJsonObject(json.value) ? readHeader(json.value) : undefined;
  return typeof header === 'string' ? undefined : header;
}

function isJson(bytes: Buffer): boolean {
  return parseJson(bytes.toString()).ok;
}

function readRecord(bytes: Buffer): Result<LogRecord, string> {
  const text = bytes.toString();
  const json = parseJson(text);
  if (!json.ok || !isJsonObject(json.value)) return err(whyNoObject(text));
  const { seq, run, event } = json.value;
  if (typeof seq !== 'number' || typeof run !== 'string' || !isStateEvent(event))
    return err('it holds no event that this version knows');
  const lack = whyIncomplete(event);
  return lack === undefined ? ok({ seq, run, event }) : err(lack);
}
