import { innerJson } from '../util/inner-json.ts';
import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { atPointer } from '../util/json-pointer.ts';

/** Deeper nesting than any record has; keeps a hostile answer from exhausting the stack. */
const MAX_DEPTH = 32;

/**
 * Every http(s) URL in `media_info`, in order, each once: the text may be JSON (nested, JSON within a string) or
 * plain. `pointer` (a JSON Pointer over the JSON in it) narrows it to one part.
 */
export function readMediaUrls(mediaInfo: Json, pointer?: string): string[] {
  const content = innerJson(mediaInfo);
  const part = pointer === undefined ? content : atPointer(content, pointer);
  return part === undefined ? [] : [...new Set(urlsIn(part, 0))];
}

function urlsIn(value: Json, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  const content = innerJson(value);
  if (typeof content === 'string') return urlsInText(content);
  if (isJsonArray(content)) return content.flatMap((item) => urlsIn(item, depth + 1));
  if (!isJsonObject(content)) return [];
  return Object.values(content).flatMap((item) => (item === undefined ? [] : urlsIn(item, depth + 1)));
}

function urlsInText(text: string): string[] {
  const whole = text.trim();
  if (/^https?:\/\/\S+$/i.test(whole) && !/,\s*https?:/i.test(whole) && URL.canParse(whole)) return [whole];
  const found = text.match(/https?:\/\/[^\s"'<>\\^`{|}]+/gi) ?? [];
  return found
    .flatMap((run) => run.split(/[,;](?=https?:)/i))
    .map(withoutTail)
    .filter((url) => URL.canParse(url));
}

/** Punctuation after a URL belongs to the sentence, a closing bracket too unless one was opened in the URL. */
function withoutTail(url: string): string {
  const tail = /[([]/.test(url) ? '.,;:!?' : '.,;:!?)]';
  let end = url.length;
  while (end > 0 && tail.includes(url.charAt(end - 1))) end--;
  return url.slice(0, end);
}
