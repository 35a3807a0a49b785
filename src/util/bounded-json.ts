import { parseJson, type Json } from './json.ts';
import { err, type Result } from './result.ts';

/** Deeper values would exhaust the stack of functions that walk or serialise them; records have five levels. */
const MAX_DEPTH = 64;
/** A million members in 10 MB of text take 700 MB once walked; a record of ten thousand items fits. */
const MAX_MEMBERS = 200_000;

/** Parses text of unknown origin into a value that may be walked. */
export function parseBounded(text: string): Result<Json, 'too deep' | 'too many' | 'no JSON'> {
  const why = whyTooLarge(text);
  return why === undefined ? parseJson(text) : err(why);
}

/** Found in the text, before it is parsed: walking a value of a hundred thousand levels exhausts the stack. */
function whyTooLarge(text: string): 'too deep' | 'too many' | undefined {
  let depth = 0;
  let members = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) inString = false;
    } else if (sign === QUOTE) inString = true;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth++;
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--;
    else if (sign === COMMA) members++;
    if (depth > MAX_DEPTH) return 'too deep';
    if (members > MAX_MEMBERS) return 'too many';
  }
  return undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const MOST_LAYERS = 4;

/** Parses JSON inside a string, and inside a string in that; any other value is returned as it is. */
export function innerJson(value: Json, layers = MOST_LAYERS): Json {
  if (layers === 0 || typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value;
  const parsed = parseBounded(value);
  return parsed.ok ? innerJson(parsed.value, layers - 1) : value;
}
