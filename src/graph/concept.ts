import type { Concept } from '../manifest/manifest.ts';
import { conceptAddress } from '../model/address.ts';
import type { GraphObject } from '../model/graph.ts';
import { externalInputs, fingerprint } from './fingerprint.ts';
import { type Hashes, imagesOf } from './images.ts';

/**
 * The inputs of a concept are its name where it is not the default, its description and its ordered references; or its
 * id.
 */
export function conceptNode(concept: Concept, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = concept.id
    ? { meaning: [], refs: [], uploads: [] }
    : imagesOf(concept.refImages, hashes);
  const description = concept.description === undefined ? {} : { description: concept.description };
  const inputs = concept.id
    ? externalInputs(concept.id)
    : {
        ...(concept.name === concept.key ? {} : { name: concept.name }),
        ...description,
        ref_images: meaning,
      };
  return {
    address: conceptAddress(concept.key),
    kind: 'concept',
    inputs,
    fingerprint: fingerprint('concept', inputs),
    payload: { name: concept.name, ...description, ref_images: refs },
    dependsOn: uploads,
    source: concept.source,
    ...(concept.id ? { external: concept.id } : {}),
  };
}
