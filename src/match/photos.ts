import type { GraphObject } from '../model/graph.ts';
import { kindOf } from '../model/kinds.ts';
import { isJsonArray, textOf } from '../util/json.ts';

/** Of a product: the SHA-256 of each photo, or its address. */
export type Shown = Pick<GraphObject, 'address' | 'inputs'>;

export function isProduct({ address }: Pick<Shown, 'address'>): boolean {
  return kindOf(address) === 'product';
}

export function photosOf({ inputs: { images } }: Pick<Shown, 'inputs'>): string[] {
  return isJsonArray(images) ? [...new Set(images.map(textOf))].sort() : [];
}

/** The photos that just one product of the state and one of the manifest has. */
export function ownPhotos(known: readonly Shown[], wanted: readonly Shown[]): ReadonlySet<string> {
  const [before, now] = [known, wanted].map((products) => {
    const owners = new Map<string, number>();
    for (const photo of products.flatMap(photosOf)) owners.set(photo, (owners.get(photo) ?? 0) + 1);
    return owners;
  });
  return new Set(
    [...(before ?? [])].flatMap(([photo, n]) => (n === 1 && now?.get(photo) === 1 ? photo : [])),
  );
}
