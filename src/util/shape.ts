import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';

/** What a JSON value has to be: in words, the shape of each element, or that of its members (`name?` may be missing). */
export type Shape = keyof typeof PLAIN | readonly [Shape] | Shapes;

interface Shapes {
  readonly [member: string]: Shape;
}

const PLAIN = {
  text: (value: Json) => typeof value === 'string',
  'a number': (value: Json) => typeof value === 'number',
  'true or false': (value: Json) => typeof value === 'boolean',
  'an object': isJsonObject,
  'a list': isJsonArray,
};

/** What an object lacks, e.g. `has no result.files`; undefined where it is as it has to be. */
export function lackOf(object: JsonObject, shapes: Shapes, path = ''): string | undefined {
  for (const [name, shape] of Object.entries(shapes)) {
    const member = name.replace(/\?$/, '');
    const value = object[member];
    if (value === undefined && member !== name) continue;
    const at = `${path}${member}`;
    const lack = value === undefined ? `has no ${at}` : lackIn(value, shape, at);
    if (lack !== undefined) return lack;
  }
  return undefined;
}

function lackIn(value: Json, shape: Shape, at: string): string | undefined {
  if (typeof shape === 'string') return PLAIN[shape](value) ? undefined : otherwise(at, shape);
  if (!isList(shape))
    return isJsonObject(value) ? lackOf(value, shape, `${at}.`) : otherwise(at, 'an object');
  if (!isJsonArray(value)) return otherwise(at, 'a list');
  for (const [index, each] of value.entries()) {
    const lack = lackIn(each, shape[0], `${at}[${index}]`);
    if (lack !== undefined) return lack;
  }
  return undefined;
}

function otherwise(at: string, what: string): string {
  return `has ${at}, which is not ${what}`;
}

function isList(shape: readonly [Shape] | Shapes): shape is readonly [Shape] {
  return Array.isArray(shape);
}
