import type { ProductRequest } from '../../service/wire.ts';
import { has, nullableText, objectList, requiredText, requiredUrl, type Place } from '../requests/place.ts';

/** The body of a create or a PUT: all fields but the description are required. */
export function readProduct(place: Place): Required<ProductRequest> {
  return {
    name: requiredText(place, 'name'),
    variant: requiredText(place, 'variant'),
    description: nullableText(place, 'description') ?? '',
    media_urls: readMediaUrls(place),
  };
}

/** The body of a PATCH: only the fields that are there are changed. */
export function readProductPatch(place: Place): Partial<ProductRequest> {
  return {
    ...(has(place, 'name') && { name: requiredText(place, 'name') }),
    ...(has(place, 'variant') && { variant: requiredText(place, 'variant') }),
    ...(has(place, 'description') && { description: nullableText(place, 'description') ?? '' }),
    ...(has(place, 'media_urls') && { media_urls: readMediaUrls(place) }),
  };
}

function readMediaUrls(place: Place): { type: string; url: string }[] {
  return objectList(place, 'media_urls', 'required').map((entry) => ({
    type: requiredText(entry, 'type'),
    url: requiredUrl(entry, 'url'),
  }));
}
