/** Sanitizes what the service said, so that it may be shown and stored: one line without secrets. */
import { inertText } from '../util/inert-text.ts';
import { plainUrl } from '../util/plain-url.ts';
import { withoutEscapes } from './json-escapes.ts';
import type { Secrets } from './secrets.ts';
import { serviceWords } from './service-message.ts';

const LONGEST_LINK = 240;
const LONGEST_QUOTE = 300;
/** User info of a relative link, or of one with another scheme than http. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:)?\/\/[^/@]*@/i;

/** A link, also a relative or a refused one, without user info, query and fragment. */
export function linkWords(link: string, { redact }: Secrets): string {
  const bare = redact(plainUrl(link).replace(USER_INFO, '$1//'));
  // A secret may be written letter by letter as %63.
  const plain = decoded(bare);
  const redacted = redact(plain);
  return inertText(redacted === plain ? bare : redacted, LONGEST_LINK);
}

/** The beginning of an answer that could not be used; it may help a person to recognise what was made. */
export function quoteAnswer(text: string, secrets: Secrets): string {
  const begin = withoutEscapes(text.slice(0, LONGEST_QUOTE * 8)).replace(/\\u[0-9a-f]{4}/gi, '');
  return inertText(serviceWords(begin, secrets), LONGEST_QUOTE);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
