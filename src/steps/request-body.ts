import type { ObjectRef, RequestPayload } from '../model/payload.ts';
import type { MediaConfigRequest } from '../service/wire.ts';
import { idOf, type Known, knownUrl } from './results.ts';

/** Products whose image URL neither the manifest nor the state has: it is read from the service. */
export function productsWithoutUrl(payload: RequestPayload, known: Known): string[] {
  const assets = payload.items.flatMap((item) => item.payload.assets);
  const bare = assets.filter(({ product, url }) => (url ?? productUrl(product, known)) === undefined);
  return [...new Set(bare.map(({ product }) => idOf(product, known.job)))];
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
    items: payload.items.map(({ payload: { post_type, variants, metadata, ...item } }) => {
      const assets = item.assets.map(({ type, product, url }) => {
        const id = idOf(product, known.job);
        return { type, product_id: id, url: url ?? productUrl(product, known) ?? urls.get(id) };
      });
      const descriptions = item.descriptions.map((description) => ({ description }));
      if (form === 'schema' && assets.every(hasUrl))
        return { post_type, assets, variants, descriptions, metadata };
      return {
        post_type,
        assets: assets.map(({ type, product_id }) => ({ type, product_id })),
        metadata,
        ...(variants.length ? { variants } : {}),
        ...(descriptions.length ? { descriptions } : {}),
      };
    }),
  };
}

function hasUrl<Asset extends { readonly url: string | undefined }>(
  asset: Asset,
): asset is Asset & { readonly url: string } {
  return asset.url !== undefined;
}

export function productUrl(product: ObjectRef, known: Known): string | undefined {
  return 'address' in product ? knownUrl(product.address, known) : undefined;
}
