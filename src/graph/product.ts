import type { Product } from '../manifest/manifest.ts';
import { productAddress } from '../model/address.ts';
import type { GraphObject } from '../model/graph.ts';
import { externalInputs, fingerprint } from './fingerprint.ts';
import { type Hashes, imagesOf } from './images.ts';

/**
 * The inputs of a product are its name where it is not the default, its description, variant and ordered images; or its
 * id.
 */
export function productNode(product: Product, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = product.id
    ? { meaning: [], refs: [], uploads: [] }
    : imagesOf(product.images, hashes);
  const description = product.description === undefined ? {} : { description: product.description };
  const inputs = product.id
    ? externalInputs(product.id)
    : {
        ...(product.name === product.key ? {} : { name: product.name }),
        ...description,
        variant: product.variant,
        images: meaning,
      };
  return {
    address: productAddress(product.key),
    kind: 'product',
    inputs,
    fingerprint: fingerprint('product', inputs),
    payload: { name: product.name, ...description, variant: product.variant, images: refs },
    dependsOn: uploads,
    source: product.source,
    ...(product.id ? { external: product.id } : {}),
  };
}
