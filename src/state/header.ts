/**
 * The first line of the log:
 * `{"format":1,"lineage":"<uuid>","campaign":"…","environment":"…","base_url":"…","crc":"xxxxxxxx"}`.
 * The lineage tells one log from every other one, for ever; the rest says what it belongs to.
 */
import { isJsonObject, parseJson } from '../util/json.ts';
import { checkSeal, seal, seedOf } from './seal.ts';

const FORMAT = 1;

/** What a log belongs to; it is refused for anything else. `baseUrl` is `emulator` for the embedded service. */
export interface LogIdentity {
  readonly campaign: string;
  readonly environment: string;
  readonly baseUrl: string;
}

export interface LogHeader extends LogIdentity {
  readonly format: number;
  readonly lineage: string;
}

export type HeaderReading =
  | { readonly type: 'header'; readonly header: LogHeader; readonly crc: number }
  | { readonly type: 'newer'; readonly format: number }
  | { readonly type: 'bad'; readonly why: string };

/** The header of a new log, with its newline, and the checksum that its first record continues. */
export function encodeHeader(
  lineage: string,
  identity: LogIdentity,
): { line: string; header: LogHeader; crc: number } {
  const { campaign, environment, baseUrl } = identity;
  const members = JSON.stringify({ format: FORMAT, lineage, campaign, environment, base_url: baseUrl });
  const header: LogHeader = { format: FORMAT, lineage, campaign, environment, baseUrl };
  return { header, ...seal(members.slice(0, -1), seedOf(lineage)) };
}

/** Reads the first line without its newline. A newer format comes first: it may be sealed in another way. */
export function decodeHeader(line: Buffer): HeaderReading {
  const json = parseJson(line.toString());
  if (!json.ok || !isJsonObject(json.value)) return bad('it is not the header of a state');
  const { format, lineage, campaign, environment, base_url: baseUrl } = json.value;
  if (typeof format !== 'number' || typeof lineage !== 'string')
    return bad('it is not the header of a state');
  if (format > FORMAT) return { type: 'newer', format };
  const crc = checkSeal(line, seedOf(lineage));
  if (crc === undefined) return bad('its checksum does not hold: it was changed');
  if (typeof campaign !== 'string' || typeof environment !== 'string' || typeof baseUrl !== 'string') {
    return bad('it names no campaign, environment and base_url');
  }
  return { type: 'header', header: { format, lineage, campaign, environment, baseUrl }, crc };
}

/** True for a proper beginning of a header, or nothing: what is left where the very first write was cut off. */
export function isHeaderFragment(bytes: Buffer): boolean {
  const start = `{"format":${FORMAT},"lineage":"`;
  const text = bytes.toString('latin1');
  return text.startsWith(start) || start.startsWith(text);
}

function bad(why: string): HeaderReading {
  return { type: 'bad', why };
}
