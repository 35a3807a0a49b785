import { textOf, type Json } from '../util/json.ts';

const POST_TYPES = ['image', 'video', 'carousel'];

/** A type of post where it is one of the interface's; empty for anything else, which must not become part of a file's name. */
export function postTypeOf(value: Json | undefined): string {
  const text = textOf(value);
  return POST_TYPES.includes(text) ? text : '';
}
