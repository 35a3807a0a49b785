import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';

/**
 * Removes secrets that `text` may echo from the value that was read from it; returns the same value where there is
 * none. JSON can write every character of a secret as an escape, so the text alone shows that there is no secret only
 * if it has no escapes.
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
  if (typeof value === 'number') return changedNumber(value, change);
  if (isJsonArray(value)) return value.map((item) => mapStrings(item, change) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [change(key), mapStrings(inner, change)]);
  return Object.fromEntries(entries) as Json;
}

/** A secret may consist of digits. */
function changedNumber(value: number, change: (text: string) => string): Json {
  const text = String(value);
  const changed = change(text);
  return changed === text ? value : changed;
}
