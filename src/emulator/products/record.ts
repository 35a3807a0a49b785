import type { ProductRecord, ProductRequest } from '../../service/wire.ts';
import type { Behaviour } from '../behaviour.ts';
import { presentImages } from '../requests/present-images.ts';

export function makeProduct(id: string, asked: Required<ProductRequest>, at: string): ProductRecord {
  return {
    id,
    created_at: at,
    updated_at: at,
    ...asked,
    media_urls: asked.media_urls.map((media) => ({ ...media })),
  };
}

export function changeProduct(
  product: ProductRecord,
  asked: Partial<ProductRequest>,
  at: string,
): ProductRecord {
  const { media_urls: media, ...texts } = asked;
  const mediaUrls = media?.map((entry) => ({ ...entry })) ?? product.media_urls;
  return { ...product, ...texts, media_urls: mediaUrls, updated_at: at };
}

export function presentProduct(product: ProductRecord, behaviour: Behaviour): ProductRecord {
  return { ...product, media_urls: presentImages(product.media_urls, behaviour) };
}
