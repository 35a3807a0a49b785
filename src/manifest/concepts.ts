import { memberOf } from '../model/source.ts';
import type { Concept as ConceptEntry } from './generated/campaign-document.js';
import { type Environments, readKnownId } from './known-id.ts';
import { type ImageScope, listImages } from './list-images.ts';
import type { Concept } from './manifest.ts';

export async function readConcepts(
  entries: Readonly<Record<string, ConceptEntry>>,
  { environments, images }: { environments: Environments; images: ImageScope },
): Promise<Concept[]> {
  const concepts: Concept[] = [];
  for (const [key, entry] of Object.entries(entries)) {
    const source = `#/concepts/${key}`;
    const { name = key, description, ref_images = [] } = entry;
    const id = readKnownId(entry.id, { source, environments, problems: images.problems });
    const at = memberOf(source, 'ref_images');
    concepts.push({
      key,
      name,
      ...(description === undefined ? {} : { description }),
      refImages: await listImages(ref_images, { source: at, base: '.', scope: images }),
      ...(id === undefined ? {} : { id }),
      source,
    });
  }
  return concepts;
}
