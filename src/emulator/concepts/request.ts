import type { ConceptRequest } from '../../service/wire.ts';
import { nullableText, objectList, requiredUrl, type Place } from '../requests/place.ts';

/** The body of a create or a PUT; name and description may be null. */
export function readConcept(place: Place): ConceptRequest {
  return {
    name: nullableText(place, 'name'),
    description: nullableText(place, 'description'),
    ref_images: objectList(place, 'ref_images', 'optional').map((entry) => ({
      url: requiredUrl(entry, 'url'),
    })),
  };
}
