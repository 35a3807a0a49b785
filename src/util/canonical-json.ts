import { createHash } from 'node:crypto';
import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** JSON with the keys of every object sorted and absent members left out, so that equal meanings have equal bytes. */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** First 32 hex digits of the SHA-256 of the canonical JSON. */
export function hashJson(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);
}
