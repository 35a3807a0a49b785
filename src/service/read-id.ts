import type { Json } from '../util/json.ts';

/** An id as text: no spaces or invisible characters, and nothing that changes the meaning of a path. */
const ID = /^(?!\.{1,2}$)[^\s\p{C}]{1,200}$/u;

/** The id in an answer, numbers as text; undefined if it is none. */
export function readId(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && ID.test(value) ? value : undefined;
}
