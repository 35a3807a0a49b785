import { inertText } from '../util/inert-text.ts';
import { isJsonObject, parseJson } from '../util/json.ts';

const MAX_LENGTH = 500;
/** Shorter ones would blot out ordinary words and are no secrets. */
const MIN_SECRET_LENGTH = 4;

/** What a failing answer says, in one harmless line, without any of the secrets that it may echo. */
export function readServiceMessage(body: string, secrets: readonly string[]): string | undefined {
  const parsed = parseJson(body);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { message, detail, error } = parsed.value;
  const text = [message, detail, error].find((value) => typeof value === 'string' && value !== '');
  if (typeof text !== 'string') return undefined;
  const clean = redact(inertText(redact(text, secrets), MAX_LENGTH * 2), secrets);
  return inertText(clean, MAX_LENGTH) || undefined;
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
