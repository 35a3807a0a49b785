/** Sanitizes what the service said, so that it may be shown and stored: one line without secrets. */
import { attempt } from '../util/attempt.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { inertText } from '../util/inert-text.ts';
import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { plainUrl, plainUrls } from '../util/plain-url.ts';
import type { Secrets } from './secrets.ts';

const LONGEST_LINK = 240;
const LONGEST_QUOTE = 300;
/** User info of a relative link, or of one with another scheme than http. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:)?\/\/[^/@]*@/i;

/** A link, also a relative or a refused one, without user info, query and fragment. */
export function linkWords(link: string, { redact }: Secrets): string {
  const bare = redact(plainUrl(link).replace(USER_INFO, '$1//'));
  // A secret may be written letter by letter as %63.
  const plain = attempt(() => decodeURIComponent(bare)) ?? bare;
  const redacted = redact(plain);
  return inertText(redacted === plain ? bare : redacted, LONGEST_LINK);
}

/** The beginning of an answer that could not be used: a person may recognise in it what was made. */
export function quoteAnswer(text: string, secrets: Secrets): string {
  const begin = withoutEscapes(text.slice(0, LONGEST_QUOTE * 8)).replace(/\\u[0-9a-f]{4}/gi, '');
  return inertText(serviceWords(begin, secrets), LONGEST_QUOTE);
}

const MAX_LENGTH = 500;

/** Its message, and what it says besides of which fields are wrong, and why. */
export function readServiceMessage(body: string, secrets: Secrets): string | undefined {
  const parsed = parseBounded(body);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { message, detail, error, errors, data } = parsed.value;
  const texts = [message, detail, error];
  const said = texts.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
  const rest = [...texts.filter((value) => typeof value === 'object'), errors, data].map(reasonsIn);
  const reasons = rest.filter(Boolean).join('; ');
  const text = said && reasons ? `${said} (${reasons})` : said || reasons;
  return serviceWords(text, secrets) || undefined;
}

/** `{name: ["Use at most 20 characters."]}` as `name: Use at most 20 characters.` */
function reasonsIn(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (isJsonArray(value)) return value.map(reasonsIn).filter(Boolean).join(', ');
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(([name, inner]) => [name, reasonsIn(inner)] as const);
  return entries.flatMap(([name, reason]) => (reason ? [`${name}: ${reason}`] : [])).join('; ');
}

/** What a page or a text in the place of an answer says, in one line; serviceWords makes it fit to be shown. */
export function pageTitle(body: string): string {
  const begin = body.slice(0, 4_000).trim();
  // A page of HAProxy has a heading alone.
  const title = /<(?:title|h1)\b[^>]*>\s*([^<]+)</i.exec(begin)?.[1];
  const line = begin.startsWith('<') ? '' : begin.split('\n')[0];
  return (title ?? line ?? '').trim();
}

/** One line without control characters, secrets and queries of links. */
export function serviceWords(text: string, { redact }: Secrets): string {
  // Redacted twice, because a control character within a secret hides it the first time.
  return inertText(redact(plainUrls(inertText(redact(text), MAX_LENGTH * 2))), MAX_LENGTH);
}

/** Keeps the meaning of JSON text: only escapes that are not needed go. It may be cut, nested or no JSON at all. */
export function withoutEscapes(json: string): string {
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (escape: string, hex?: string, sign?: string) => {
    if (sign !== undefined) return sign === '/' ? '/' : escape;
    const character = String.fromCharCode(Number.parseInt(hex ?? '', 16));
    if (character === '"' || character === '\\') return `\\${character}`;
    return character < ' ' ? escape : character;
  });
}
