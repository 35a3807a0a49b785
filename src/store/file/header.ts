/** The first line of the log; docs/state-log.md describes it. */
import { jsonText } from '../../util/inert-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../util/json.ts';
import type { StateHeader, StateIdentity } from '../store.ts';
import { checkSeal, seal, seedOf, spellCrc } from './seal.ts';

/** The one that this version reads and writes. */
const FORMAT = 1;

/** No header is this long. */
export const LONGEST_HEADER = 1 << 16;

export interface LogHeader extends StateHeader {
  /** Checksum of the last record before a compacted log. */
  readonly last?: number;
  /** The database that has the log now: then nothing follows here. */
  readonly movedTo?: string;
  /** Beside `movedTo`: when somebody had last decided about that log. */
  readonly boundAt?: string;
}

/** The first line of a log, and the checksum that its first record continues. */
export function encodeHeader(
  lineage: string,
  {
    campaign,
    environment,
    baseUrl,
    movedTo,
    boundAt,
  }: StateIdentity & Pick<LogHeader, 'movedTo' | 'boundAt'>,
  { seq, crc: last }: { readonly seq: number; readonly crc?: number | undefined } = { seq: 0 },
): { line: string; header: LogHeader; crc: number } {
  const compacted = seq > 0 ? { seq, ...(last !== undefined && { last: spellCrc(last) }) } : {};
  const begin = { lineage, campaign, environment };
  const moved = movedTo !== undefined && { moved_to: movedTo, ...(boundAt && { bound_at: boundAt }) };
  const members = jsonText({ format: FORMAT, ...begin, base_url: baseUrl, ...compacted, ...moved });
  const header = {
    ...begin,
    baseUrl,
    seq,
    ...(last !== undefined && { last }),
    ...(movedTo !== undefined && { movedTo, ...(boundAt && { boundAt }) }),
  };
  return { header, ...seal(members.slice(0, -1), seedOf(lineage)) };
}

/** Reads the first line without its newline. The format comes first: another one may have other checksums. */
export function decodeHeader(
  line: Buffer,
):
  | { readonly type: 'header'; readonly header: LogHeader; readonly crc: number }
  | { readonly type: 'newer'; readonly format: number }
  | { readonly type: 'bad'; readonly why: string } {
  const text = line.toString();
  const json = parseJson(text);
  if (!json.ok || !isJsonObject(json.value)) return bad(whyNoHeader(text));
  const { format, lineage } = json.value;
  if (typeof format !== 'number' || typeof lineage !== 'string')
    return bad('it is not the header of a state');
  if (format !== FORMAT) return { type: 'newer', format };
  const crc = checkSeal(line, seedOf(lineage));
  if (crc === undefined) return bad('its checksum does not hold: it was changed');
  const header = readHeader(lineage, json.value);
  return typeof header === 'string' ? bad(header) : { type: 'header', header, crc };
}

/** The header that a first line states, or why it states none. */
function readHeader(lineage: string, members: JsonObject): LogHeader | string {
  const {
    campaign,
    environment,
    base_url: baseUrl,
    seq = 0,
    last,
    moved_to: moved,
    bound_at: bound,
  } = members;
  if (typeof campaign !== 'string' || typeof environment !== 'string' || typeof baseUrl !== 'string')
    return 'it names no campaign, environment and base_url';
  if (typeof seq !== 'number') return 'its seq is no number';
  const boundAt = typeof bound === 'string' && { boundAt: bound };
  const movedTo = typeof moved === 'string' && { movedTo: moved, ...boundAt };
  const header: LogHeader = { lineage, campaign, environment, baseUrl, seq, ...movedTo };
  return typeof last === 'string' ? { ...header, last: Number.parseInt(last, 16) } : header;
}

export function whyNoHeader(text: string): string {
  return conflictIn(text) ?? 'it is not the header of a state';
}

/** The message for a line that git left where it could not merge two copies of a state. */
export const GIT_CONFLICT = 'git left a conflict here: two copies of the state went their own ways';

export function conflictIn(line: string): string | undefined {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line) ? GIT_CONFLICT : undefined;
}

/** True for the beginning of a header, or nothing: what remains where the very first write was cut off. */
export function isHeaderFragment(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const start = `{"format":${FORMAT},"lineage":"`;
  return text.startsWith(start) || start.startsWith(text);
}

function bad(why: string) {
  return { type: 'bad', why } as const;
}
