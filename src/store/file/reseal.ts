/**
 * Makes a log valid again that was edited by hand: the records get new numbers and checksums, and the lineage stays.
 * The old checksums show every line that was changed, added or removed, but not what it was before.
 */
import { isJsonObject, parseJson } from '../../util/json.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { whyIncomplete } from '../../log/event-members.ts';
import { isStateEvent, type LogRecord, type RecordPlace } from '../../log/log-record.ts';
import type { Edit } from '../store.ts';
import { decodeHeader, encodeHeader, readHeader, whyNoHeader, type LogHeader } from './header.ts';
import { encodeRecord, whyNoObject } from './record.ts';
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
  /** With new checksums, the header first. */
  readonly lines: readonly string[];
  readonly end: RecordPlace;
}

/** A log of a newer version, or a line that is no record and has to be corrected or removed first. */
type NotResealable =
  | { readonly format: number }
  | { readonly line: number; readonly offset: number; readonly why: string };

const NEWLINE = 0x0a;

export function reseal(log: Buffer): Result<ResealedLog, NotResealable> {
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
    const edit = editOf(line, record.value, { bytes, before });
    if (edit) edits.push(edit);
    const stated = readSeal(bytes);
    before = { seq, stated };
    records.push({ ...record.value, crc: stated });
    const sealed = encodeRecord(event, run, end);
    end = sealed.end;
    lines.push(sealed.line);
  }
  return ok({ header, edits, records, lines, end });
}

/** `isEnded`: whether a newline follows. */
function splitLines(log: Buffer) {
  const lines = [];
  for (let offset = 0; offset < log.length; ) {
    const newline = log.indexOf(NEWLINE, offset);
    const isEnded = newline >= 0;
    const end = isEnded ? newline : log.length;
    lines.push({ line: lines.length + 1, offset, bytes: log.subarray(offset, end), isEnded });
    offset = end + 1;
  }
  return lines;
}

/** The record before: its number, and the checksum that it has. */
interface Before {
  readonly seq: number;
  readonly stated: number | undefined;
}

function editOf(
  line: number,
  { seq, event }: LogRecord,
  { bytes, before }: { readonly bytes: Buffer; readonly before: Before },
): Edit | undefined {
  const about = 'address' in event ? `${event.type} ${event.address}` : event.type;
  if (seq <= before.seq) return { type: 'misplaced', line, about };
  // The record before it is gone, so nobody can tell whether this one was changed.
  if (seq > before.seq + 1) return { type: 'missing', line, from: before.seq + 1, to: seq - 1 };
  const crc = before.stated === undefined ? readSeal(bytes) : checkSeal(bytes, before.stated);
  return crc === undefined ? { type: 'changed', line, about } : undefined;
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
