import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isUuid } from '../uuid.ts';

/**
 * An object inside a request body, with the path to it and the list that collects the problems of the whole body.
 * Readers return a harmless value after a problem, so that one answer names every wrong field.
 */
export interface Place {
  readonly fields: JsonObject;
  readonly path: string;
  readonly problems: string[];
}

/** Reads a whole body with `read`; the error lists every problem that it found. */
export function readRequest<T>(body: Json, read: (place: Place) => T): Result<T, string[]> {
  if (!isJsonObject(body)) return err(['body: must be an object']);
  const place: Place = { fields: body, path: '', problems: [] };
  const value = read(place);
  return place.problems.length === 0 ? ok(value) : err(place.problems);
}

/** True where the body has the field, `null` included: a PATCH changes only these. */
export function has(place: Place, name: string): boolean {
  return place.fields[name] !== undefined;
}

export function complain(place: Place, name: string, problem: string): void {
  place.problems.push(`${place.path}${name}: ${problem}`);
}

/** A text that must be there and not be empty. */
export function requiredText(place: Place, name: string): string {
  const value = place.fields[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  complain(place, name, value === undefined ? 'this field is required' : 'must be a text that is not empty');
  return '';
}

/** A text or `null`; absent counts as `null`. */
export function nullableText(place: Place, name: string): string | null {
  const value = place.fields[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  complain(place, name, 'must be a text or null');
  return null;
}

/** An id in UUID form. */
export function requiredUuid(place: Place, name: string): string {
  const value = requiredText(place, name);
  if (value !== '' && !isUuid(value)) complain(place, name, `"${value}" is not a UUID`);
  return value.toLowerCase();
}

/** An absolute http or https URL. */
export function requiredUrl(place: Place, name: string): string {
  const value = requiredText(place, name);
  if (value === '') return value;
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocol !== 'https:' && protocol !== 'http:') complain(place, name, 'must be an http or https URL');
  return value;
}

/** A whole number within the bounds, both included. */
export function requiredInteger(place: Place, name: string, bounds: { min: number; max: number }): number {
  const value = place.fields[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max)
    return value;
  const problem = `must be an integer from ${bounds.min} to ${bounds.max}`;
  complain(place, name, value === undefined ? 'this field is required' : problem);
  return bounds.min;
}

/** An object that must be there. */
export function requiredObject(place: Place, name: string): Place {
  const value = place.fields[name];
  const inside = `${place.path}${name}.`;
  if (isJsonObject(value)) return { fields: value, path: inside, problems: place.problems };
  complain(place, name, value === undefined ? 'this field is required' : 'must be an object');
  // The missing object is one problem; the fields that would be missing inside it are not reported as well.
  return { fields: {}, path: inside, problems: [] };
}

/** A list of objects; absent is an empty list, unless `required`. */
export function objectList(place: Place, name: string, presence: 'required' | 'optional'): Place[] {
  return list(place, name, presence).flatMap((value, index) => {
    const path = `${place.path}${name}[${index}]`;
    if (isJsonObject(value)) return [{ fields: value, path: `${path}.`, problems: place.problems }];
    place.problems.push(`${path}: must be an object`);
    return [];
  });
}

/** A list of texts; absent is an empty list, unless `required`. */
export function textList(place: Place, name: string, presence: 'required' | 'optional'): string[] {
  return list(place, name, presence).flatMap((value, index) => {
    if (typeof value === 'string') return [value];
    place.problems.push(`${place.path}${name}[${index}]: must be a text`);
    return [];
  });
}

function list(place: Place, name: string, presence: 'required' | 'optional'): readonly Json[] {
  const value = place.fields[name];
  if (Array.isArray(value)) return value as readonly Json[];
  if (value === undefined && presence === 'optional') return [];
  complain(place, name, value === undefined ? 'this field is required' : 'must be a list');
  return [];
}
