/**
 * What an item says about itself. The answer to a request repeats what was sent in a form that the interface leaves
 * open: lists of strings or of objects, JSON inside strings, ids in place of objects, with fields beside them or without.
 * Both sides are read by the same function, so that one meaning gives one text, and an exact echo gives one in any case.
 */
import { canonicalJson } from '../util/canonical-json.ts';
import { innerJson } from '../util/inner-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../util/json.ts';

/** A field that is absent, or of a form that cannot be read, says nothing. */
export interface ItemFacts {
  /** Texts by field, whatever form they came in. */
  readonly told: ReadonlyMap<string, string>;
  /** Texts of whole fields as they are: they tell items apart that differ in spaces or forms alone. */
  readonly exact: ReadonlyMap<string, string>;
}

/** What an empty list says: it may also stand for a field that is not repeated. */
export const EMPTY = '[]';

const FIELDS = ['post_type', 'variants', 'descriptions', 'assets', 'metadata'] as const;
const ASSET_MEMBERS = ['type', 'product_id', 'url'] as const;

/** Reads an item as it was sent, or as it came back. */
export function factsOf(item: JsonObject): ItemFacts {
  const told = new Map<string, string>();
  const tell = (field: string, text: string | undefined) => {
    if (text !== undefined) told.set(field, text);
  };
  tell('post_type', wordOf(item['post_type'])?.toLowerCase());
  tell('variants', listOf(item['variants'], wordOf));
  tell('descriptions', listOf(item['descriptions'], descriptionOf));
  for (const member of ASSET_MEMBERS)
    tell(
      `assets ${member}`,
      listOf(item['assets'], (asset) => assetMember(asset, member)),
    );
  for (const [key, value] of Object.entries(metadataOf(item['metadata'])))
    tell(`metadata ${key}`, wordOf(value));
  const exact = FIELDS.flatMap((field) => {
    const value = item[field] ?? null;
    return value === null ? [] : [[field, canonicalJson(value)] as const];
  });
  return { told, exact: new Map(exact) };
}

/** A list as one text; undefined where one of its elements says nothing. */
function listOf(list: Json | undefined, read: (element: Json) => string | undefined): string | undefined {
  const elements = elementsOf(list ?? null);
  const texts = elements?.map(read);
  return texts?.every((text) => text !== undefined) ? JSON.stringify(texts) : undefined;
}

/** A single value stands for a list of one. */
function elementsOf(value: Json): Json[] | undefined {
  const content = innerJson(value);
  if (content === null || content === '') return undefined;
  if (!isJsonArray(content)) return [content];
  return content.flatMap((element: Json) => {
    const inner = innerJson(element);
    return isJsonArray(inner) ? inner : [inner];
  });
}

/** A number counts as its digits; spaces are told apart by the exact text alone. */
function wordOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== ''
    ? value.normalize('NFC').trim().replace(/\s+/g, ' ')
    : undefined;
}

function descriptionOf(element: Json): string | undefined {
  return wordOf(isJsonObject(element) ? innerJson(element['description'] ?? null) : element);
}

/** An asset may stand there as its product's id or its URL alone, or hold the product as a record. */
function assetMember(asset: Json, member: (typeof ASSET_MEMBERS)[number]): string | undefined {
  if (!isJsonObject(asset)) {
    const word = wordOf(asset);
    const isUrl = word !== undefined && /^https?:/i.test(word);
    return member === (isUrl ? 'url' : 'product_id') ? word : undefined;
  }
  if (member !== 'product_id') return wordOf(asset[member]);
  const product = asset['product'] ?? null;
  return wordOf(asset['product_id']) ?? (isJsonObject(product) ? wordOf(product['id']) : wordOf(product));
}

/** A text that is a ratio is one. */
function metadataOf(metadata: Json | undefined): JsonObject {
  const content = innerJson(metadata ?? null);
  if (isJsonObject(content)) return content;
  const ratio = wordOf(content);
  return ratio !== undefined && /^\d+:\d+$/.test(ratio) ? { aspect_ratio: ratio } : {};
}
