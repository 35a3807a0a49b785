import type { Product } from '../manifest/manifest.ts';
import type { GraphObject } from '../model/graph.ts';
import { type Hashes, imagesOf } from './images.ts';
import { named, objectBase } from './object.ts';

export function productNode(product: Product, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = imagesOf(product.id ? [] : product.images, hashes);
  const { variant } = product;
  return {
    ...objectBase('product', product, { variant, images: meaning }),
    payload: { ...named(product), variant, images: refs },
    dependsOn: uploads,
  };
}
