import type { Concept } from '../manifest/manifest.ts';
import type { GraphObject } from '../model/graph.ts';
import { type Hashes, imagesOf } from './images.ts';
import { named, objectBase } from './object.ts';

export function conceptNode(concept: Concept, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = imagesOf(concept.id ? [] : concept.refImages, hashes);
  return {
    ...objectBase('concept', concept, { ref_images: meaning }),
    payload: { ...named(concept), ref_images: refs },
    dependsOn: uploads,
  };
}
