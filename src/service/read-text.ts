import type { Json } from '../util/json.ts';

/** A field that should be text: numbers as digits, objects and lists as JSON, nothing as the empty text. */
export function readText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
