import { inertText } from '../util/inert-text.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { isJsonObject } from '../util/json.ts';
import { plainUrls } from '../util/plain-url.ts';
import type { Secrets } from './secrets.ts';

const MAX_LENGTH = 500;

/** The message in a failing answer, as one sanitized line without the secrets that it may echo. */
export function readServiceMessage(body: string, secrets: Secrets): string | undefined {
  const parsed = parseBounded(body);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { message, detail, error } = parsed.value;
  const text = [message, detail, error].find((value) => typeof value === 'string' && value !== '');
  if (typeof text !== 'string') return undefined;
  return serviceWords(text, secrets) || undefined;
}

/** What the service said as one sanitized line, without the secrets that it may echo; links have no query. */
export function serviceWords(text: string, { redact }: Secrets): string {
  // Redacted twice, because a control character within a secret hides it the first time.
  return inertText(redact(plainUrls(inertText(redact(text), MAX_LENGTH * 2))), MAX_LENGTH);
}
