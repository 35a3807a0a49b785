import type { ItemPayload, ObjectRef, RequestPayload } from '../model/payload.ts';
import type { MediaConfigRequest, MediaItemRequest } from '../service/wire.ts';
import { idOf, type Known, knownUrl } from './results.ts';

/** Products whose image URL neither the manifest nor the state has: it is read from the service. */
export function productsWithoutUrl(payload: RequestPayload, known: Known): string[] {
  const ids = payload.items.flatMap(({ payload: { assets } }) =>
    assets
      .filter(({ product, url }) => url === undefined && productUrl(product, known) === undefined)
      .map(({ product }) => idOf(product, known.job)),
  );
  return [...new Set(ids)];
}

/**
 * The body of a media configuration. The schema form has every field and a url in each asset. The guide form leaves out
 * urls and empty lists; it is used where the url of an asset is not known.
 */
export function requestBody(
  payload: RequestPayload,
  known: Known,
  { form, urls }: { form: 'schema' | 'guide'; urls: ReadonlyMap<string, string> },
): MediaConfigRequest {
  return {
    content_pillar: idOf(payload.concept, known.job),
    number_of_posts: payload.numberOfPosts,
    items: payload.items.map(({ payload: item }) => {
      const assets = item.assets.map(({ type, product, url }) => {
        const id = idOf(product, known.job);
        return { type, product_id: id, url: url ?? productUrl(product, known) ?? urls.get(id) };
      });
      const schema = form === 'schema' && assets.every(({ url }) => url !== undefined);
      return schema ? schemaForm(item, assets) : guideForm(item, assets);
    }),
  };
}

type FoundAsset = { readonly type: string; readonly product_id: string; readonly url: string | undefined };

function schemaForm(item: ItemPayload, assets: readonly FoundAsset[]): MediaItemRequest {
  return {
    post_type: item.post_type,
    assets: assets.map(({ url, ...asset }) => ({ ...asset, ...(url === undefined ? {} : { url }) })),
    variants: item.variants,
    descriptions: item.descriptions.map((description) => ({ description })),
    metadata: item.metadata,
  };
}

function guideForm(item: ItemPayload, assets: readonly FoundAsset[]): MediaItemRequest {
  const { variants, descriptions, ...rest } = schemaForm(item, []);
  return {
    ...rest,
    assets: assets.map(({ type, product_id }) => ({ type, product_id })),
    ...(variants?.length ? { variants } : {}),
    ...(descriptions?.length ? { descriptions } : {}),
  };
}

/** Undefined where neither the state nor this run knows it. */
export function productUrl(product: ObjectRef, known: Known): string | undefined {
  return 'address' in product ? knownUrl(product.address, known) : undefined;
}
