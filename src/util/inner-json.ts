import { parseBounded } from './bounded-json.ts';
import type { Json } from './json.ts';

const MOST_LAYERS = 4;

/** Parses JSON inside a string, and inside a string in that; any other value is returned as it is. */
export function innerJson(value: Json): Json {
  let content = value;
  for (let layer = 0; layer < MOST_LAYERS && typeof content === 'string'; layer++) {
    if (!/^\s*["[{]/.test(content)) break;
    const parsed = parseBounded(content);
    if (!parsed.ok) break;
    content = parsed.value;
  }
  return content;
}
