import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { atPointer } from '../util/json-pointer.ts';

const URL_FIELDS = ['url', 'media_url', 'file_url'];
const MAX_DEPTH = 8;

/**
 * `data`, or `data.url` and its like, nested or in a list, or at the top level. The shallowest level with a URL decides;
 * with two different ones there, none is taken. A JSON Pointer into the whole answer names the place instead.
 */
export function readUploadUrl(answer: Json, pointer?: string): string | undefined {
  if (pointer !== undefined) return asUrl(atPointer(answer, pointer));
  const data = isJsonObject(answer) && answer['data'] != null ? answer['data'] : answer;
  let level: readonly Json[] = [data];
  // A text counts where it is the data or in a list; in an object only under the names above.
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const found = new Set(level.flatMap((value) => urlsAt(value)));
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
    level = level.flatMap((value) => inside(value));
  }
  return undefined;
}

function urlsAt(value: Json): string[] {
  const texts = isJsonObject(value) ? URL_FIELDS.map((field) => value[field]) : [value];
  return texts.map(asUrl).filter((url) => url !== undefined);
}

function inside(value: Json): readonly Json[] {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).filter((inner): inner is Json => typeof inner === 'object' && inner !== null);
}

function asUrl(value: Json | undefined): string | undefined {
  return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
    ? value
    : undefined;
}
