import { isJsonArray, isJsonObject, type Json } from '../../util/json.ts';
import type { Behaviour } from '../behaviour.ts';

/** The images of a record in the asked shape. */
export function presentImages(images: Json, { imagesAnswer }: Behaviour): Json {
  if (imagesAnswer === 'objects' || !isJsonArray(images)) return images;
  return images.map((image) => (isJsonObject(image) ? (image['url'] ?? null) : image));
}
