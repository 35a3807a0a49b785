import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';

/**
 * Removes secrets from the value that was read from `text`. JSON can write every character of a secret as an escape, so
 * the text alone shows that there is none only if it has no escapes.
 */
export function cleanJson<T extends Json | undefined>(
  value: T,
  { text, redact }: { readonly text: string; readonly redact: (text: string) => string },
): T {
  if (!text.includes('\\') && redact(text) === text) return value;
  return mapStrings(value, redact) as T;
}

function mapStrings(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    // A secret may consist of digits.
    const changed = change(String(value));
    return changed === String(value) ? value : changed;
  }
  if (isJsonArray(value)) return value.map((item) => mapStrings(item, change) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [change(key), mapStrings(inner, change)]);
  return Object.fromEntries(entries) as Json;
}
