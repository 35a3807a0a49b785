import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** The value that a JSON Pointer (RFC 6901) names, or undefined. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let here: Json | undefined = value;
  for (const key of pointerKeys(pointer)) {
    if (isJsonArray(here)) here = /^(?:0|[1-9]\d*)$/.test(key) ? here[Number(key)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function toPointer(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAt(root: unknown, keys: readonly string[]): unknown {
  const at = (here: unknown, key: string): unknown =>
    typeof here === 'object' && here !== null ? Reflect.get(here, key) : undefined;
  return keys.reduce(at, root);
}
