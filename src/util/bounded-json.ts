import { parseJson, type Json } from './json.ts';

/** Deeper values would exhaust the stack of whoever walks or serialises them; records have four levels or five. */
const MAX_DEPTH = 64;

/** Text from elsewhere as a value that may be walked; `why` says what is wrong with it. Never throws. */
export function parseBounded(
  text: string,
): { ok: true; value: Json } | { ok: false; why: 'too deep' | 'no JSON' } {
  if (isNestedDeeper(text, MAX_DEPTH)) return { ok: false, why: 'too deep' };
  const parsed = parseJson(text);
  return parsed.ok ? parsed : { ok: false, why: 'no JSON' };
}

/**
 * Whether JSON text opens more than so many lists and objects in each other. It is told from the text, before anything
 * is made of it: whoever walks a value of a hundred thousand levels exhausts the stack.
 */
function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) inString = false;
    } else if (sign === QUOTE) inString = true;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth++;
      if (depth > levels) return true;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
