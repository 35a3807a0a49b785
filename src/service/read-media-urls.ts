import { innerJson } from '../util/bounded-json.ts';
import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { atPointer } from '../util/json-pointer.ts';

/** No record nests deeper; a hostile answer must not exhaust the stack. */
const MAX_DEPTH = 32;

/** Each http(s) URL once, in order. The text may be plain, or JSON, of which a JSON Pointer may name the part. */
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

/** Punctuation after a URL belongs to the sentence; so does a closing bracket, unless the URL has an opening one. */
function withoutTail(url: string): string {
  const tail = /[([]/.test(url) ? '.,;:!?' : '.,;:!?)]';
  let end = url.length;
  while (end > 0 && tail.includes(url.charAt(end - 1))) end--;
  return url.slice(0, end);
}
