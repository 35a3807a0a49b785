import type { Json } from '../util/json.ts';

/** A field that should be text: numbers become digits, objects and lists JSON, an absent field the empty text. */
export function readTextField(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
