import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { atPointer } from '../util/json-pointer.ts';
import { linkPath } from './link-path.ts';

const URL_FIELDS = ['url', 'media_url', 'file_url'];
const MAX_DEPTH = 8;

interface Where {
  /** A JSON Pointer into the whole answer that names the place. */
  readonly pointer?: string | undefined;
  /** The URL that was asked: a path is meant from there. Without it, paths are no links. */
  readonly askedAt?: string | undefined;
}

/**
 * `data`, or `data.url` and its like, nested or in a list, or at the top level. The shallowest level with a URL decides;
 * with two different ones there, none is taken. Where nothing is a URL, a path counts in the same way.
 */
export function readUploadUrl(answer: Json, { pointer, askedAt }: Where = {}): string | undefined {
  const asPath = (value: Json | undefined, isNamed: boolean) => pathOf(value, { askedAt, isNamed });
  if (pointer !== undefined) {
    const value = atPointer(answer, pointer);
    return asUrl(value) ?? asPath(value, true);
  }
  const data = isJsonObject(answer) && answer['data'] != null ? answer['data'] : answer;
  const found = shallowest(data, asUrl) ?? shallowest(data, asPath);
  return found?.size === 1 ? [...found][0] : undefined;
}

type Read = (value: Json | undefined, isNamed: boolean) => string | undefined;

function shallowest(data: Json, read: Read): ReadonlySet<string> | undefined {
  let level: readonly Json[] = [data];
  // A text counts where it is the data or in a list; in an object only under the names above.
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const found = new Set(level.flatMap((value) => urlsAt(value, read)));
    if (found.size > 0) return found;
    level = level.flatMap((value) => inside(value));
  }
  return undefined;
}

function urlsAt(value: Json, read: Read): string[] {
  const texts = isJsonObject(value)
    ? URL_FIELDS.map((field) => read(value[field], true))
    : [read(value, false)];
  return texts.filter((url) => url !== undefined);
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

/** A text without a name has to look like a path, because it may be any other. */
function pathOf(
  value: Json | undefined,
  { askedAt, isNamed }: { askedAt: string | undefined; isNamed: boolean },
): string | undefined {
  const text = typeof value === 'string' ? value : '';
  const path = linkPath(text, askedAt);
  const isPath = path && (path.isRooted || path.isFile || (isNamed && text.includes('/')));
  return isPath ? path.url : undefined;
}
