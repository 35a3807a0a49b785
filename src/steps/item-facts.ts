/**
 * Reads what an item says about itself. The answer to a request repeats what was sent in a form that the interface
 * leaves open: lists of strings or of objects, JSON inside strings, ids in place of objects, with other fields beside
 * them. The same function reads what was sent and what came back, so that equal meanings give equal texts, and an exact
 * echo in any case.
 */
import { canonicalJson } from '../util/canonical-json.ts';
import { innerJson } from '../util/bounded-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../util/json.ts';

/** A field that is absent, or cannot be read, has no entry. */
export interface ItemFacts {
  /** Texts by field, whatever form they came in. */
  readonly told: ReadonlyMap<string, string>;
  /** Texts of whole fields as they are: they distinguish items that differ only in spaces or forms. */
  readonly exact: ReadonlyMap<string, string>;
}

export const EMPTY = '[]';

const FIELDS = ['post_type', 'variants', 'descriptions', 'assets', 'metadata'] as const;
const ASSET_MEMBERS = ['type', 'product_id', 'url'] as const;

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

function listOf(list: Json | undefined, read: (element: Json) => string | undefined): string | undefined {
  const elements = elementsOf(list ?? null);
  const texts = elements?.map(read);
  return texts?.every((text) => text !== undefined) ? JSON.stringify(texts) : undefined;
}

/** A single value counts as a list of one. */
function elementsOf(value: Json): Json[] | undefined {
  const content = innerJson(value);
  if (content === null || content === '') return undefined;
  if (!isJsonArray(content)) return [content];
  return content.flatMap((element: Json) => {
    const inner = innerJson(element);
    return isJsonArray(inner) ? inner : [inner];
  });
}

/** A number counts as its digits; only the exact text distinguishes spaces. */
function wordOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== ''
    ? value.normalize('NFC').trim().replace(/\s+/g, ' ')
    : undefined;
}

function descriptionOf(element: Json): string | undefined {
  return wordOf(isJsonObject(element) ? innerJson(element['description'] ?? null) : element);
}

/** An asset may be its product's id or its URL alone, or contain the product as a record. */
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

/** A text that is a ratio counts as metadata with this ratio. */
function metadataOf(metadata: Json | undefined): JsonObject {
  const content = innerJson(metadata ?? null);
  if (isJsonObject(content)) return content;
  const ratio = wordOf(content);
  return ratio !== undefined && /^\d+:\d+$/.test(ratio) ? { aspect_ratio: ratio } : {};
}
