import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** The value that a JSON Pointer (RFC 6901) names, or undefined. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let here: Json | undefined = value;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonArray(here)) here = /^(?:0|[1-9]\d*)$/.test(key) ? here[Number(key)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}
