import type { ExpandedManifest } from '../manifest/manifest.ts';
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import { conceptNode, type Hashes, productNode, uploadNode } from './objects.ts';
import { createPostNode } from './post.ts';

/** Pure. `hashes` has every image file that the manifest names. */
export function buildGraph(manifest: ExpandedManifest, hashes: Hashes): Graph {
  const { products, concepts } = manifest;
  const images = [
    ...products.flatMap(({ id, images: own }) => (id === undefined ? own : [])),
    ...concepts.flatMap(({ id, refImages }) => (id === undefined ? refImages : [])),
  ];
  const nodes = [
    ...images.flatMap((image) => ('file' in image ? [uploadNode(image, hashes)] : [])),
    ...products.map((product) => productNode(product, hashes)),
    ...concepts.map((concept) => conceptNode(concept, hashes)),
  ];
  const objects = new Map<Address, GraphObject>();
  for (const node of nodes) if (!objects.has(node.address)) objects.set(node.address, node);
  const posts = manifest.posts.map(createPostNode(objects));
  return { objects, posts, moved: manifest.moved ?? [] };
}
