import { isJsonObject, type Json, type JsonObject } from '../util/json.ts';

/** Where generated media may be, the likeliest path first. */
export const MEDIA_PATHS = [
  '/media/{config.id}/{item.id}/',
  '/media/{concept.id}/{item.id}/',
  '/media/{item.id}/{config.id}/',
] as const;

/** What a template may refer to. */
export interface MediaPathContext {
  config: JsonObject;
  item: JsonObject;
  concept: JsonObject;
}

/** The two ids of `GET /media/{object_id}/{id}/`; undefined where the template does not give two. */
export function fillMediaPath(template: string, context: MediaPathContext): [string, string] | undefined {
  const parts = template
    .replace(/^\/?media\//, '')
    .replace(/^\/|\/$/g, '')
    .split('/');
  const [objectId, id] = parts.map((part) => fillPart(part, context));
  return parts.length === 2 && objectId !== undefined && id !== undefined ? [objectId, id] : undefined;
}

export function fieldsOfItem(template: string): string[][] {
  return [...template.matchAll(/\{item\.([^{}]+)\}/g)].map(([, path = '']) => path.split('.'));
}

function fillPart(part: string, context: MediaPathContext): string | undefined {
  let complete = true;
  const filled = part.replace(
    /\{(config|item|concept)\.([^{}]+)\}/g,
    (_, root: keyof MediaPathContext, path: string) => {
      const value = asSegment(fieldAt(context[root], path));
      complete &&= value !== undefined;
      return value ?? '';
    },
  );
  return complete && !/[{}]/.test(filled) ? asSegment(filled) : undefined;
}

/** What may be between two slashes: a field that is no id may be part of the path. */
const SEGMENT = /^(?!\.{1,2}$)[^\s\p{C}]{1,200}$/u;

function asSegment(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && SEGMENT.test(value) ? value : undefined;
}

function fieldAt(record: JsonObject, path: string): Json | undefined {
  let here: Json | undefined = record;
  for (const name of path.split('.')) {
    here = isJsonObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return here;
}
