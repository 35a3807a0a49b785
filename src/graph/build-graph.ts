import type { Manifest } from '../manifest/manifest.ts';
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import { conceptNode } from './concept.ts';
import type { Hashes } from './images.ts';
import { postNode } from './post.ts';
import { productNode } from './product.ts';
import { uploadNode } from './upload.ts';

/** Pure. `hashes` has every image file that the manifest names. */
export function buildGraph(manifest: Manifest, hashes: Hashes): Graph {
  const objects = new Map<Address, GraphObject>();
  const add = (node: GraphObject) => {
    if (!objects.has(node.address)) objects.set(node.address, node);
  };
  const owners = [
    ...manifest.products.map(({ id, images }) => ({ id, images })),
    ...manifest.concepts.map(({ id, refImages }) => ({ id, images: refImages })),
  ];
  for (const { id, images } of owners) {
    if (id !== undefined) continue;
    for (const image of images) if ('file' in image) add(uploadNode(image, hashes));
  }
  for (const product of manifest.products) add(productNode(product, hashes));
  for (const concept of manifest.concepts) add(conceptNode(concept, hashes));
  const posts = manifest.posts.map((post) => postNode(post, objects));
  return { objects, posts, moved: manifest.moved ?? [] };
}
