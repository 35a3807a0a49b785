import { isJsonObject, parseJson, type Json } from '../../util/json.ts';
import { DEEPEST, isTooDeep } from './malformed.ts';

/**
 * Form encodings have texts only. Lists and objects arrive as JSON text in a field, as bracketed names
 * (`media_urls[0][url]`), or as a repeated name. All three become what the same body in JSON would be.
 */

/** Fields of the interface that hold a list or an object, at whatever depth they stand. */
const LISTS = new Set(['media_urls', 'ref_images', 'items', 'assets', 'variants', 'descriptions']);
const OBJECTS = new Set(['metadata']);
const INTEGERS = new Set(['number_of_posts']);

type Tree = string | Map<string, Tree[]>;

/** The fields come in the order in which they were sent. Undefined where the body is nested too deeply. */
export function readForm(entries: Iterable<readonly [name: string, value: string]>): Json | undefined {
  const root = new Map<string, Tree[]>();
  for (const [name, value] of entries) {
    if (name.split('[', DEEPEST + 2).length > DEEPEST + 1) return undefined;
    insert(root, splitName(name), value);
  }
  const json = toObject(root);
  return isTooDeep(json) ? undefined : json;
}

/** `items[0][post_type]` → items, 0, post_type; a name without that form is one part. */
function splitName(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  if (match === null) return [name];
  const inner = (match[2] ?? '').slice(1, -1).split('][');
  return [match[1] ?? '', ...inner];
}

function insert(node: Map<string, Tree[]>, keys: readonly string[], value: string): void {
  const [key = '', ...rest] = keys;
  const values = node.get(key) ?? [];
  node.set(key, values);
  if (rest.length === 0) {
    values.push(value);
    return;
  }
  const known = values.find((child) => child instanceof Map);
  const child = known ?? new Map<string, Tree[]>();
  if (known === undefined) values.push(child);
  insert(child, rest, value);
}

function toObject(node: ReadonlyMap<string, readonly Tree[]>): Json {
  return Object.fromEntries([...node].map(([key, values]) => [key, toValue(key, values)]));
}

function toValue(key: string, values: readonly Tree[]): Json {
  if (LISTS.has(key)) return values.flatMap((value) => toList(value));
  const value = values.at(-1) ?? '';
  if (typeof value !== 'string') return toObject(value);
  if (OBJECTS.has(key)) return parsed(value);
  if (INTEGERS.has(key) && /^-?\d+$/.test(value)) return Number(value);
  return value;
}

function toList(value: Tree): Json[] {
  if (typeof value === 'string') {
    const json = parsed(value);
    return Array.isArray(json) ? [...(json as readonly Json[])] : [json];
  }
  // `name[]` appends in the order sent; numbered entries are sorted by their number.
  return [...value]
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(([key, values]) =>
      key === '' ? values.map((item) => toItem(item)) : [toItem(values.at(-1) ?? '')],
    );
}

function toItem(value: Tree): Json {
  return typeof value === 'string' ? parsed(value) : toObject(value);
}

/** The value of JSON text that is a list or an object; any other text stays text. */
function parsed(text: string): Json {
  const json = parseJson(text);
  return json.ok && (Array.isArray(json.value) || isJsonObject(json.value)) ? json.value : text;
}
