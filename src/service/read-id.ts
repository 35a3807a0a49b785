import type { Json } from '../util/json.ts';

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * The id in an answer, a number as its digits; undefined if it is none. What passes can stand in a path, a file name
 * and a record: no name of what every object has is an id.
 */
export function readId(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' && isId(value) ? value : undefined;
}

/** Whether a text can be an id. */
export function isId(text: string): boolean {
  return ID.test(text) && !(text in Object.prototype);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether two ids are one: the letters of a UUID may be large or small. */
export function isSameId(one: string, other: string): boolean {
  return one === other || (UUID.test(one) && one.toLowerCase() === other.toLowerCase());
}
