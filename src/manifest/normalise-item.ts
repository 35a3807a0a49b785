import { memberOf, type SourceRef } from '../model/source.ts';
import type { JsonObject } from '../util/json.ts';
import type { AssetEntry, ItemEntry } from './document.ts';
import type { Asset, Item } from './manifest.ts';
import type { Problems } from './problems.ts';
import { type KnownKeys, resolveReference } from './references.ts';

/** What an item is read with. */
export interface ItemScope {
  readonly source: SourceRef;
  /** Filled in where the item says nothing; written in any of the three spellings as well. */
  readonly defaults: ItemEntry;
  readonly products: KnownKeys;
  readonly problems: Problems;
  /** Where a text was really written: an expression over the matrix leads to the matrix. */
  readonly origin: (source: SourceRef) => SourceRef;
}

/** An item in the one form that is left of the three: what it does not say is missing, not yet filled in. */
interface Spelled {
  readonly post_type?: Item['post_type'];
  readonly assets?: readonly { readonly entry: AssetEntry; readonly source: SourceRef }[];
  readonly variants?: readonly string[];
  readonly descriptions?: readonly string[];
  readonly metadata: JsonObject & { readonly aspect_ratio?: string };
}

/** The short form, the guide form and the schema form of one meaning give one and the same item. */
export function normaliseItem(entry: ItemEntry, scope: ItemScope): Item | undefined {
  const { source, problems } = scope;
  const defaults = spelled(scope.defaults, '#/defaults/item', problems);
  const own = spelled(entry, source, problems);
  const { post_type, assets = [], variants = [], descriptions = [] } = { ...defaults, ...own };
  const { aspect_ratio, ...metadata } = { ...defaults.metadata, ...own.metadata };
  const resolved = assets.map((asset) => resolveAsset(asset, scope));
  if (post_type === undefined) missing('post_type', 'Say image, video or carousel.', scope);
  if (aspect_ratio === undefined)
    missing('aspect_ratio', 'Write one, such as "1:1", here or under `defaults: item:`.', scope);
  if (post_type === undefined || aspect_ratio === undefined) return undefined;
  return {
    ...(entry.key === undefined ? {} : { key: entry.key }),
    post_type,
    assets: resolved.filter((asset) => asset !== undefined),
    variants,
    descriptions,
    metadata: { aspect_ratio, ...metadata },
    source,
  };
}

function spelled(entry: ItemEntry, source: SourceRef, problems: Problems): Spelled {
  const { post_type, variants, descriptions } = entry;
  const assets = spelledAssets(entry, source, problems);
  return {
    ...(post_type === undefined ? {} : { post_type }),
    ...(assets ? { assets } : {}),
    ...(variants ? { variants } : {}),
    ...(descriptions
      ? { descriptions: descriptions.map((text) => (typeof text === 'string' ? text : text.description)) }
      : {}),
    metadata: spelledMetadata(entry, source, problems),
  };
}

function spelledAssets(
  { products, assets }: ItemEntry,
  source: SourceRef,
  problems: Problems,
): Spelled['assets'] {
  const short = products?.map((product_id, index) => ({
    entry: { product_id },
    source: memberOf(source, 'products', index),
  }));
  const long = assets?.map((asset, index) => ({
    entry: asset,
    source: memberOf(source, 'assets', index, 'product_id'),
  }));
  if (short && long) {
    const same =
      short.length === long.length &&
      long.every(
        ({ entry: { type = 'product', product_id } }, index) =>
          type === 'product' && product_id === short[index]?.entry.product_id,
      );
    if (!same)
      contradiction(
        { source: memberOf(source, 'products'), words: '`products` is short for `assets`' },
        problems,
      );
  }
  return long ?? short;
}

function spelledMetadata(
  { aspect_ratio, metadata = {} }: ItemEntry,
  source: SourceRef,
  problems: Problems,
): Spelled['metadata'] {
  const written = metadata as Spelled['metadata'];
  if (aspect_ratio === undefined) return written;
  if (written.aspect_ratio !== undefined && written.aspect_ratio !== aspect_ratio) {
    const words = '`aspect_ratio` is short for `metadata.aspect_ratio`';
    contradiction({ source: memberOf(source, 'aspect_ratio'), words }, problems);
  }
  return { ...written, aspect_ratio };
}

function contradiction({ source, words }: { source: SourceRef; words: string }, problems: Problems): void {
  problems.add({
    code: 'conflicting-spellings',
    detail: `${words}, and the two differ. Keep one of them.`,
    source,
    part: 'key',
  });
}

function resolveAsset(
  { entry, source }: { entry: AssetEntry; source: SourceRef },
  { products, problems, origin }: ItemScope,
): Asset | undefined {
  const { type = 'product', product_id, url } = entry;
  const product = resolveReference(product_id, { known: products, source: origin(source), problems });
  return product && { type, product, ...(url === undefined ? {} : { url }) };
}

function missing(key: string, advice: string, { source, problems }: ItemScope): void {
  const explained = [
    source,
    memberOf(source, key),
    memberOf(source, 'metadata'),
    memberOf(source, 'metadata', key),
  ];
  if (explained.some((place) => problems.isExplained(place)) || problems.isBroken(`#/defaults`)) return;
  problems.add({
    code: 'missing-key',
    detail: `\`${key}\` is required here. ${advice}`,
    source,
    part: 'key',
  });
}
