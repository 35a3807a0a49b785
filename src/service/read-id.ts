import { idKey } from '../util/id-key.ts';
import type { Json } from '../util/json.ts';

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** An id can be used in a path, a file name and a record, so it is not the name of a member of every object. */
export function readId(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' && isId(value) ? value : undefined;
}

export function isId(text: string): boolean {
  return ID.test(text) && !(text in Object.prototype);
}

export function isSameId(one: string, other: string): boolean {
  return one === other || idKey(one) === idKey(other);
}
