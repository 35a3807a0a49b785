/** What the service said, as it may be shown and kept: one harmless line without secrets. */
import { inertText } from '../util/inert-text.ts';
import { plainUrl } from '../util/plain-url.ts';
import { withoutEscapes } from './json-escapes.ts';
import type { Secrets } from './secrets.ts';
import { serviceWords } from './service-message.ts';

const LONGEST_LINK = 240;
const LONGEST_QUOTE = 300;
/** Of a relative link, or of another scheme than http. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:)?\/\/[^/@]*@/i;

/** A link, be it relative or one that is refused, without user info, query and fragment. */
export function linkWords(link: string, { redact }: Secrets): string {
  const bare = redact(plainUrl(link).replace(USER_INFO, '$1//'));
  // A secret may stand there letter by letter as %63.
  const plain = decoded(bare);
  const redacted = redact(plain);
  return inertText(redacted === plain ? bare : redacted, LONGEST_LINK);
}

/** The beginning of an answer that could not be used: a person may recognise in it what was made. */
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
