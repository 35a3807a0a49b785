import { innerJson } from '../util/bounded-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../util/json.ts';
import { atPointer } from '../util/json-pointer.ts';
import { linkPath } from './link-path.ts';

/** No record nests deeper; a hostile answer must not exhaust the stack. */
const MAX_DEPTH = 32;

interface Where {
  /** A JSON Pointer that names a part of it. */
  readonly pointer?: string | undefined;
  /** The URL that was asked: a path is meant from there. Without it, paths are no links. */
  readonly askedAt?: string | undefined;
}

/** Each http(s) URL once, in order, and each path of a file as a URL. The text may be plain, or JSON. */
export function readMediaUrls(mediaInfo: Json, { pointer, askedAt }: Where = {}): string[] {
  const content = innerJson(mediaInfo);
  const part = pointer === undefined ? content : atPointer(content, pointer);
  if (part === undefined) return [];
  return [...new Set(urlsIn(part, { askedAt, isTold: pointer !== undefined, depth: 0 }))];
}

interface Reading {
  readonly askedAt: string | undefined;
  /** A setting says that this is a link, or a list of links. */
  readonly isTold: boolean;
  readonly depth: number;
}

function urlsIn(value: Json, reading: Reading): string[] {
  if (reading.depth > MAX_DEPTH) return [];
  const inner = { ...reading, depth: reading.depth + 1 };
  const content = innerJson(value);
  if (typeof content === 'string') return linksIn(content, reading).urls;
  if (isJsonArray(content)) return content.flatMap((item) => urlsIn(item, inner));
  return isJsonObject(content) ? urlsOfObject(content, { ...inner, isTold: false }) : [];
}

/** Beside its URL, an object may tell of a file its name, or its path on a disk of the service. These are no other files. */
function urlsOfObject(object: JsonObject, inner: Reading): string[] {
  const values = Object.values(object)
    .filter((item) => item !== undefined)
    .map((item) => innerJson(item));
  const rankOf = (item: Json) => (typeof item === 'string' ? linksIn(item, inner).rank : 0);
  const best = Math.min(...values.filter((item) => typeof item === 'string').map(rankOf));
  return values.flatMap((item) => (rankOf(item) > best ? [] : urlsIn(item, inner)));
}

interface Links {
  readonly urls: string[];
  /** 0 for URLs; of paths, a lesser one is surer. */
  readonly rank: number;
}

const NO_LINKS: Links = { urls: [], rank: 4 };

function linksIn(text: string, { askedAt, isTold }: Reading): Links {
  const urls = urlsInText(text);
  if (urls.length > 0) return { urls, rank: 0 };
  const parts = text.trim().split(/\s*[,;]\s*(?=\/)|\s+/);
  const paths = parts.map((part) => linkPath(part, askedAt)).filter((path) => path !== undefined);
  // A sentence may hold a slash, and is no path.
  if (paths.length < parts.length) return NO_LINKS;
  const areRooted = paths.every(({ isRooted }) => isRooted);
  const areFiles = paths.every(({ isFile }) => isFile);
  if (!areRooted && !areFiles && !isTold) return NO_LINKS;
  return { urls: paths.map(({ url }) => url), rank: areRooted ? (areFiles ? 1 : 2) : 3 };
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
