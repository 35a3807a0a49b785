/**
 * One line of the log after the header; docs/state-log.md describes it. Characters that are invisible or reverse text
 * are written as escapes, because a line may be shown on a terminal and in a review.
 */
import type { StateEvent } from '../../model/state-event.ts';
import { isStateEvent, type LogRecord, type RecordPlace } from '../../log/log-record.ts';
import { jsonText } from '../../util/inert-json.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { conflictIn } from './header.ts';
import { checkSeal, seal, SEAL_LENGTH } from './seal.ts';

export function encodeRecord(
  event: StateEvent,
  run: string,
  before: RecordPlace,
): { line: string; end: RecordPlace } {
  const seq = before.seq + 1;
  const open = `{"seq":${seq},"run":${jsonText(run)},"event":${jsonText(event)}`;
  const { line, crc } = seal(open, before.crc);
  return { line, end: { seq, crc } };
}

export function encodeRecords(
  events: readonly StateEvent[],
  run: string,
  before: RecordPlace,
): { lines: string; end: RecordPlace } {
  let lines = '';
  let end = before;
  for (const event of events) {
    const sealed = encodeRecord(event, run, end);
    end = sealed.end;
    lines += sealed.line;
  }
  return { lines, end };
}

/**
 * Reads one line without its newline, given as bytes (for the checksum) and as text. The error says what is wrong, or
 * what this version does not have.
 */
export function decodeRecord(
  line: { readonly bytes: Buffer; readonly text: string },
  before: RecordPlace,
): Result<{ record: LogRecord; crc: number }, string | { readonly what: string }> {
  const crc = checkSeal(line.bytes, before.crc);
  const json = (crc !== undefined && parseOwn(line.text)) || parseJson(line.text);
  if (!json.ok || !isJsonObject(json.value)) return err(whyNoObject(line.text));
  const { seq, run, event } = json.value;
  if (seq !== before.seq + 1) return err(`its seq is ${JSON.stringify(seq)} where ${before.seq + 1} follows`);
  if (crc === undefined) return err('its checksum does not hold: it was changed, or belongs to another log');
  if (typeof run !== 'string' || !isJsonObject(event) || typeof event['type'] !== 'string')
    return err('it holds no event');
  if (!isStateEvent(event)) return err({ what: `its event is of the type ${JSON.stringify(event['type'])}` });
  return ok({ record: { seq, run, event }, crc });
}

/** The beginning of a line by encodeRecord, where JSON writes the run without escapes. */
const OPENING = /^\{"seq":([1-9]\d*),"run":"([\w-]*)","event":/;

/**
 * The members of a line as encodeRecord writes it: parsing only the event takes three quarters of the time. Undefined
 * where it is written otherwise, which may be right all the same.
 */
function parseOwn(text: string): ReturnType<typeof parseJson> | undefined {
  const opening = OPENING.exec(text);
  if (!opening) return undefined;
  const [{ length }, seq, run] = opening;
  const event = parseJson(text.slice(length, -SEAL_LENGTH));
  return event.ok ? { ok: true, value: { seq: Number(seq), run, event: event.value } } : undefined;
}

export function whyNoObject(text: string): string {
  return conflictIn(text) ?? 'it is not a complete JSON object';
}
