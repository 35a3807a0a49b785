import { memberOf, type SourceRef } from '../model/source.ts';
import type { JsonObject } from '../util/json.ts';
import type { AssetEntry, ItemEntry } from './document.ts';
import type { Item } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

/** An item in the one form that replaces the three spellings: what it does not say is absent, not yet filled in. */
export interface SpelledItem {
  readonly post_type: Item['post_type'] | undefined;
  readonly aspect_ratio: string | undefined;
  readonly assets: readonly { readonly entry: AssetEntry; readonly source: () => SourceRef }[] | undefined;
  readonly variants: readonly string[] | undefined;
  readonly descriptions: readonly string[] | undefined;
  readonly metadata: JsonObject | undefined;
}

/** Short form, guide form and schema form with one meaning become equal; no other code knows the three. */
export function spellItem(entry: ItemEntry, source: SourceRef, problems: Problems): SpelledItem {
  const { post_type, variants, descriptions, metadata } = entry;
  return {
    post_type,
    aspect_ratio: spelledRatio(entry, source, problems),
    assets: spelledAssets(entry, source, problems),
    variants,
    descriptions: descriptions?.map((text) => (typeof text === 'string' ? text : text.description)),
    metadata: metadata as JsonObject | undefined,
  };
}

function spelledRatio(
  { aspect_ratio, metadata }: ItemEntry,
  source: SourceRef,
  problems: Problems,
): string | undefined {
  const long = metadata?.aspect_ratio;
  if (aspect_ratio !== undefined && long !== undefined && long !== aspect_ratio) {
    const words = '`aspect_ratio` is short for `metadata.aspect_ratio`';
    contradiction(memberOf(source, 'aspect_ratio'), words, problems);
  }
  return aspect_ratio ?? long;
}

function spelledAssets(
  { products, assets }: ItemEntry,
  source: SourceRef,
  problems: Problems,
): SpelledItem['assets'] {
  const short = products?.map((product_id, index) => ({
    entry: { product_id },
    source: () => memberOf(source, 'products', index),
  }));
  const long = assets?.map((asset, index) => ({
    entry: asset,
    source: () => memberOf(source, 'assets', index, 'product_id'),
  }));
  const isProduct = ({ type = 'product', product_id }: AssetEntry, index: number) =>
    type === 'product' && product_id === products?.[index];
  if (products && assets && !(products.length === assets.length && assets.every(isProduct)))
    contradiction(memberOf(source, 'products'), '`products` is short for `assets`', problems);
  return long ?? short;
}

function contradiction(source: SourceRef, words: string, problems: Problems): void {
  const detail = `${words}, and the two have different values here. Remove one of them.`;
  problems.add({ code: 'conflicting-spellings', detail, source, part: 'key' });
}
