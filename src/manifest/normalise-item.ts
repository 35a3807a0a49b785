import { memberOf, type SourceRef } from '../model/source.ts';
import type { ItemEntry } from './document.ts';
import type { Asset, Item } from './manifest.ts';
import type { Problems } from '../document/problems.ts';
import { type KnownKeys, resolveReference } from './references.ts';
import { spellItem, type SpelledItem } from './spell-item.ts';

export interface ItemScope {
  readonly source: SourceRef;
  /** Fill in what the item does not say. */
  readonly defaults: SpelledItem;
  readonly products: KnownKeys;
  readonly problems: Problems;
  /** Where a text was written: an expression over the matrix leads to the matrix. */
  readonly origin: (source: SourceRef) => SourceRef;
}

/** An item with its defaults filled in and its products resolved; undefined where something required is missing. */
export function normaliseItem(entry: ItemEntry, scope: ItemScope): Item | undefined {
  const { source, defaults, problems } = scope;
  const own = spellItem(entry, source, problems);
  const post_type = own.post_type ?? defaults.post_type;
  const aspect_ratio = own.aspect_ratio ?? defaults.aspect_ratio;
  const assets = (own.assets ?? defaults.assets ?? []).map((asset) => resolveAsset(asset, scope));
  if (post_type === undefined)
    missing('post_type', 'Write image, video or carousel, here or under `defaults: item:`.', scope);
  if (aspect_ratio === undefined)
    missing('aspect_ratio', 'Write one, such as "4:5", here or under `defaults: item:`.', scope);
  if (post_type === undefined || aspect_ratio === undefined) return undefined;
  const item: Item = {
    post_type,
    assets: assets.filter((asset) => asset !== undefined),
    variants: own.variants ?? defaults.variants ?? [],
    descriptions: own.descriptions ?? defaults.descriptions ?? [],
    metadata: { ...defaults.metadata, ...own.metadata, aspect_ratio },
    source,
  };
  return entry.key === undefined ? item : { key: entry.key, ...item };
}

function resolveAsset(
  { entry, source }: NonNullable<SpelledItem['assets']>[number],
  { products, problems, origin }: ItemScope,
): Asset | undefined {
  const { type = 'product', product_id, url } = entry;
  const product = resolveReference(product_id, { known: products, source: () => origin(source()), problems });
  return product && { type, product, ...(url === undefined ? {} : { url }) };
}

function missing(key: string, advice: string, { source, problems }: ItemScope): void {
  const metadata = memberOf(source, 'metadata');
  const explained = [source, memberOf(source, key), metadata, memberOf(metadata, key)];
  if (explained.some((place) => problems.isExplained(place)) || problems.isBroken('#/defaults')) return;
  const detail = `This item has no \`${key}\`. ${advice}`;
  problems.add({ code: 'missing-key', detail, source, part: 'key' });
}
