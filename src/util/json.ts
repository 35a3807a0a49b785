import { err, ok, type Result } from './result.ts';

/** What may cross a seam or enter the log. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** False for null and for an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text stays text, anything else that is present becomes JSON text. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

export function parseJson(text: string): Result<Json, 'no JSON'> {
  try {
    return ok(JSON.parse(text) as Json);
  } catch {
    return err('no JSON');
  }
}
