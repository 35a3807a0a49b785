/** Which products posts show: those of an item of the manifest against those that a take of the state was made of. */
import type { Address } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { currentTake } from '../model/run-state.ts';
import { isJsonArray, isJsonObject, type JsonObject, textOf } from '../util/json.ts';
import { isProduct, ownPhotos, photosOf } from './photos.ts';

export interface ShownProducts {
  /** The fingerprints that each product of an item has or had. */
  readonly of: (item: GraphItem) => readonly ReadonlySet<string>[];
  readonly areSame: (item: GraphItem, media: MediaState) => boolean;
}

/** In `state`, products have their new names already: what an item shows and the state does not have there is new. */
export function findShown(graph: Graph, state: RunState): ShownProducts {
  const versions = new Map<Address, ReadonlySet<string>>();
  const findAlike = createAlike(graph, state);
  const versionsOf = (address: Address, fingerprint: string) => {
    const seen = versions.get(address);
    if (seen) return seen;
    const known = state.objects.get(address);
    const before = known ? [known] : findAlike(address);
    const all = new Set([fingerprint, ...before.flatMap((each) => [...each.versions.keys()])]);
    versions.set(address, all);
    return all;
  };
  const of = ({ inputs, payload: { assets } }: GraphItem) => {
    const fingerprints = assetsOf(inputs);
    const shown = new Map<string, ReadonlySet<string>>();
    for (const [index, { product }] of assets.entries()) {
      const fingerprint = fingerprints[index] ?? '';
      if ('id' in product) shown.set(product.id, new Set([fingerprint]));
      else shown.set(product.address, versionsOf(product.address, fingerprint));
    }
    return [...shown.values()];
  };
  return {
    of,
    areSame(item, media) {
      const [now, before] = [of(item), productsOf(media)];
      return showsAll(now, before) && showsAllOf(before, now);
    },
  };
}

/** The fingerprints of the products that the current take of a post shows. */
export function productsOf(media: MediaState): string[] {
  return [...new Set(assetsOf(currentTake(media)?.inputs ?? {}))];
}

/** Whether `now` has all products of `before`. */
export function showsAll(now: readonly ReadonlySet<string>[], before: readonly string[]): boolean {
  return before.every((fingerprint) => now.some((versions) => versions.has(fingerprint)));
}

/** Whether `before` has all products of `now`. */
export function showsAllOf(before: readonly string[], now: readonly ReadonlySet<string>[]): boolean {
  return now.every((versions) => before.some((fingerprint) => versions.has(fingerprint)));
}

function assetsOf({ assets }: JsonObject): string[] {
  return isJsonArray(assets)
    ? assets.map((asset) => (isJsonObject(asset) ? textOf(asset['product']) : ''))
    : [];
}

/**
 * The products of the state that a new one may be: the manifest does not name them, and they have exactly the same
 * photos, or one in common that no third product has.
 */
function createAlike(graph: Graph, { objects }: RunState) {
  let unnamed: ReturnType<typeof collect> | undefined;
  const collect = () => {
    const known = [...objects.values()].filter(isProduct);
    return {
      products: known.filter(({ address }) => !graph.objects.has(address)),
      own: ownPhotos(known, [...graph.objects.values()].filter(isProduct)),
    };
  };
  return (address: Address) => {
    const { products, own } = (unnamed ??= collect());
    const product = graph.objects.get(address);
    const photos = product ? photosOf(product) : [];
    return products.filter((known) => {
      const had = photosOf(known);
      const isWhole = photos.length > 0 && photos.join(' ') === had.join(' ');
      return isWhole || had.some((photo) => own.has(photo) && photos.includes(photo));
    });
  };
}
