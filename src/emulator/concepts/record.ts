import type { ConceptRecord, ConceptRequest } from '../../service/wire.ts';
import type { Behaviour } from '../behaviour.ts';
import { presentImages } from '../requests/present-images.ts';

export function makeConcept(id: string, asked: ConceptRequest, at: string): ConceptRecord {
  const { name, description, ref_images: images } = asked;
  return {
    id,
    name,
    description,
    created_at: at,
    updated_at: at,
    ref_images: images.map(({ url }) => ({ url })),
  };
}

/** The concept with every field replaced that a client sends. */
export function changeConcept(concept: ConceptRecord, asked: ConceptRequest, at: string): ConceptRecord {
  return { ...makeConcept(concept.id, asked, at), created_at: concept.created_at };
}

export function presentConcept(concept: ConceptRecord, behaviour: Behaviour): ConceptRecord {
  return { ...concept, ref_images: presentImages(concept.ref_images, behaviour) };
}
