/**
 * Adds entries to a list or a map of a YAML text. Only text is put in: comments, quotes, indentation and line ends of all
 * that stands there stay as they are, which writing the whole document anew would not leave.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json } from '../util/json.ts';

/** For a list of the document, or a map of it; its members in their order. */
export type Entries =
  | { readonly member: string; readonly list: readonly Json[] }
  | { readonly member: string; readonly map: Readonly<Record<string, Json>> };

/**
 * Undefined where no text can be put in, because an alias or something else stands in the place of the list or map, or
 * where the text would then say more than it did and these entries.
 */
export function addEntries(text: string, entries: Entries): string | undefined {
  const document = documentOf(text);
  const added = inDocument(text, document, entries);
  if (added === undefined) return undefined;
  const after = documentOf(added);
  if (after.errors.length) return undefined;
  const before: unknown = document.toJS({ maxAliasCount: -1 });
  return isDeepStrictEqual(after.toJS({ maxAliasCount: -1 }), grown(before, entries)) ? added : undefined;
}

function documentOf(text: string) {
  return parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
}

function grown(before: unknown, entries: Entries): unknown {
  const all = before as Record<string, unknown>;
  const { member } = entries;
  const own = all[member];
  if ('list' in entries)
    return { ...all, [member]: [...((own as unknown[] | undefined) ?? []), ...entries.list] };
  return { ...all, [member]: { ...(own as object | undefined), ...entries.map } };
}

function inDocument(
  text: string,
  document: ReturnType<typeof documentOf>,
  entries: Entries,
): string | undefined {
  const root: Node | null = document.contents;
  if (document.errors.length || !isMap(root)) return undefined;
  const { member } = entries;
  const whole = 'list' in entries ? entries.list : entries.map;
  const value: unknown = root.get(member, true);
  if (value === undefined) return inCollection(text, root, { [member]: whole });
  if (isAlias(value)) return undefined;
  if ('list' in entries ? isSeq(value) : isMap(value)) return inCollection(text, value as Collection, whole);
  return undefined;
}

type Collection = YAMLMap | YAMLSeq;

function inCollection(
  text: string,
  collection: Collection,
  added: readonly Json[] | Readonly<Record<string, Json>>,
): string | undefined {
  const start = collection.range?.[0];
  const last = lastNode(collection);
  if (start === undefined) return undefined;
  if (collection.flow === true) {
    const inside = inline(added).replace(/^[[{] ?| ?[\]}]$/g, '');
    const end = lastNode(collection, 'shallow')?.range?.[1];
    return end === undefined ? put(text, start + 1, inside) : put(text, end, `, ${inside}`);
  }
  const end = last?.range?.[1];
  if (end === undefined) return undefined;
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = stringify(added, { lineWidth: 0 }).trimEnd().split('\n');
  const block = lines.map((line) => `${' '.repeat(column)}${line}${newline}`).join('');
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  return next === 0 ? put(text, text.length, `${newline}${block}`) : put(text, next, block);
}

/** The node with which a collection ends; `shallow`: its last value as a whole. */
function lastNode(collection: Collection, depth: 'shallow' | 'deep' = 'deep'): ParsedNode | undefined {
  const item: unknown = collection.items.at(-1);
  const value: unknown = isPair(item) ? (item.value ?? item.key) : item;
  if (!isNode(value)) return undefined;
  if (depth === 'deep' && isCollection(value) && value.flow !== true && value.items.length > 0)
    return lastNode(value);
  return value as ParsedNode;
}

function put(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** As JSON with spaces, which fits into a line of YAML and into a manifest that is JSON. */
function inline(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${inline(member ?? null)}`,
  );
  return `{ ${members.join(', ')} }`;
}
