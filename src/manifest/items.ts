import type { Problems } from '../document/problems.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { aspectRatioOf } from '../util/aspect-ratio.ts';
import { defined } from '../util/defined.ts';
import type { JsonObject } from '../util/json.ts';
import { hasExpression } from './expressions.ts';
import type { Asset as AssetEntry, Item as ItemEntry } from './generated/campaign-document.js';
import type { Asset, Item } from './manifest.ts';
import { type KnownKeys, resolveReference } from './references.ts';

/** An item in the one form that replaces the three spellings: what it does not say is undefined, not yet filled in. */
export type SpelledItem = ReturnType<typeof spellItem>;

/** Short form, guide form and schema form with one meaning become equal; no other code knows the three. */
export function spellItem(entry: ItemEntry, source: SourceRef, problems: Problems) {
  const { post_type, products, assets, variants, descriptions, metadata } = entry;
  const contradict = (short: string, long: string) => {
    const detail = `\`${short}\` is short for \`${long}\`, and the two have different values here. Remove one of them.`;
    problems.add({ code: 'conflicting-spellings', detail, source: memberOf(source, short), part: 'key' });
  };
  const { aspect_ratio = metadata?.aspect_ratio } = entry;
  if (metadata?.aspect_ratio !== undefined && metadata.aspect_ratio !== aspect_ratio)
    contradict('aspect_ratio', 'metadata.aspect_ratio');
  const short = products?.map((product_id, index) => spelled({ product_id }, source, 'products', index));
  const long = assets?.map((asset, index) => spelled(asset, source, 'assets', index, 'product_id'));
  const isProduct = ({ type = 'product', product_id }: AssetEntry, index: number) =>
    type === 'product' && product_id === products?.[index];
  if (products && assets && !(products.length === assets.length && assets.every(isProduct)))
    contradict('products', 'assets');
  return {
    post_type,
    aspect_ratio,
    ratioAt: () =>
      entry.aspect_ratio === undefined
        ? memberOf(source, 'metadata', 'aspect_ratio')
        : memberOf(source, 'aspect_ratio'),
    assets: long ?? short,
    variants,
    descriptions: descriptions?.map((text) => (typeof text === 'string' ? text : text.description)),
    metadata: metadata as JsonObject | undefined,
  };
}

const spelled = (entry: AssetEntry, source: SourceRef, ...path: (string | number)[]) => ({
  entry,
  source: () => memberOf(source, ...path),
});

export interface ItemScope {
  readonly source: SourceRef;
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
  const assets = (own.assets ?? defaults.assets ?? []).flatMap((asset) => resolveAsset(asset, scope) ?? []);
  if (post_type === undefined)
    missing('post_type', 'Write image, video or carousel, here or under `defaults: item:`.', scope);
  if (aspect_ratio === undefined)
    missing('aspect_ratio', 'Write one, such as "4:5", here or under `defaults: item:`.', scope);
  if (post_type === undefined || aspect_ratio === undefined) return undefined;
  checkRatio(aspect_ratio, (own.aspect_ratio === undefined ? defaults : own).ratioAt, scope);
  return {
    post_type,
    assets,
    variants: own.variants ?? defaults.variants ?? [],
    descriptions: own.descriptions ?? defaults.descriptions ?? [],
    metadata: Object.assign({}, defaults.metadata, own.metadata, { aspect_ratio }),
    source,
    ...defined({ key: entry.key }),
  };
}

function resolveAsset(
  { entry, source }: ReturnType<typeof spelled>,
  { products, problems, origin }: ItemScope,
): Asset | undefined {
  const { type = 'product', product_id, url } = entry;
  const product = resolveReference(product_id, { known: products, source: () => origin(source()), problems });
  return product && { type, product, ...(url === undefined ? {} : { url }) };
}

/** The service decides what it takes, so another form is no error. */
function checkRatio(text: string, place: () => SourceRef, { problems, origin }: ItemScope): void {
  if (aspectRatioOf(text) !== undefined || hasExpression(text)) return;
  const detail = `"${text}" is no aspect ratio of the form width:height, such as "4:5" or "1.91:1". It is sent as it is, and the service may refuse it.`;
  problems.add({ code: 'odd-aspect-ratio', severity: 'warning', detail, source: origin(place()) });
}

function missing(key: string, advice: string, { source, problems }: ItemScope): void {
  const metadata = memberOf(source, 'metadata');
  const explained = [source, memberOf(source, key), metadata, memberOf(metadata, key)];
  if (explained.some((place) => problems.isExplained(place)) || problems.isBroken('#/defaults')) return;
  const detail = `This item has no \`${key}\`. ${advice}`;
  problems.add({ code: 'missing-key', detail, source, part: 'key' });
}
