/**
 * What differs between two JSON values, as a list that can be sent and carried out elsewhere. Lists are compared place by
 * place, so what is put in at the front of a long one changes all of it.
 */
import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** A value at a place, or, without a value, that there is none any more. A list is cut at its `length`. */
export type JsonChange = readonly [path: Path] | readonly [path: Path, value: Json];

type Path = readonly (string | number)[];

export function jsonChanges(before: Json | undefined, after: Json): JsonChange[] {
  const changes: JsonChange[] = [];
  collect(before, after, { path: [], changes });
  return changes;
}

interface Collecting {
  readonly path: Path;
  readonly changes: JsonChange[];
}

function collect(before: Json | undefined, after: Json, { path, changes }: Collecting): void {
  if (before === after) return;
  if (isJsonArray(before) && isJsonArray(after)) {
    if (after.length < before.length) changes.push([[...path, 'length'], after.length]);
    for (const [index, value] of after.entries())
      if (before[index] !== value) collect(before[index], value, { path: [...path, index], changes });
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of Object.keys(before))
      if (ownMember(after, key) === undefined) changes.push([[...path, key]]);
    for (const [key, value] of Object.entries(after)) {
      const known = ownMember(before, key);
      if (value !== undefined && known !== value) collect(known, value, { path: [...path, key], changes });
    }
  } else changes.push([path, after]);
}

/** The value with the changes. It is not changed itself, and what stays equal is the same object as before. */
export function withChanges(value: Json, changes: readonly JsonChange[]): Json {
  const copies = new Set<unknown>();
  const root = { value };
  copies.add(root);
  for (const [path, ...found] of changes) {
    let at: Members = root;
    let key: string | number = 'value';
    for (const next of path) {
      const inside = ownCopy(ownMember(at, key), copies);
      put(at, key, inside);
      at = inside;
      key = next;
    }
    if (found.length) put(at, key, found[0]);
    else delete at[key];
  }
  return root.value;
}

type Members = Record<string | number, Json>;

function ownCopy(value: Json | undefined, copies: Set<unknown>): Members {
  if (copies.has(value)) return value as Members;
  const copy = (isJsonArray(value) ? [...value] : { ...(value as object) }) as Members;
  copies.add(copy);
  return copy;
}

function ownMember(value: object, key: string | number): Json | undefined {
  return Object.hasOwn(value, key) ? (value as Members)[key] : undefined;
}

/** `__proto__` is a name like any other. */
function put(members: Members, key: string | number, value: Json): void {
  if (Array.isArray(members)) members[key] = value;
  else Object.defineProperty(members, key, { value, configurable: true, enumerable: true, writable: true });
}
