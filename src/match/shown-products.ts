/** Which products posts show: those of an item of the manifest against those that a post of the state was made of. */
import type { Address } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import type { ObjectRef } from '../model/payload.ts';
import { currentTake, type MediaState, type RunState, type TakeState } from '../model/run-state.ts';
import { idKey } from '../util/id-key.ts';
import { isProduct, ownPhotos, photosOf } from './photos.ts';

export interface ShownProducts {
  /** For each product of an item the names of those in the state that are the same one. */
  readonly of: (item: GraphItem) => readonly ReadonlySet<string>[];
  /** The names of the products that the current take of a post was made of: addresses, or ids. */
  readonly by: (media: MediaState) => readonly string[];
  readonly areSame: (item: GraphItem, media: MediaState) => boolean;
}

/** In `state`, products have their new names already: what an item shows and the state does not have there is new. */
export function findShown(graph: Graph, state: RunState): ShownProducts {
  const alikeOf = createAlike(graph, state);
  const namesOf = (ref: ObjectRef) =>
    'id' in ref || state.objects.has(ref.address) ? new Set([nameOf(ref)]) : alikeOf(ref.address);
  const of = ({ payload: { assets } }: GraphItem) =>
    [...new Map(assets.map(({ product }) => [nameOf(product), product])).values()].map(namesOf);
  const by = (media: MediaState) => {
    const take = currentTake(media);
    return take ? namesIn(state, take) : [];
  };
  const areSame = (item: GraphItem, media: MediaState) => {
    const [now, before] = [of(item), by(media)];
    return showsAll(now, before) && showsAllOf(before, now);
  };
  return { of, by, areSame };
}

/** The products that a take was made of: their addresses, or their ids. */
function namesIn({ requests }: RunState, { request, requestedAs }: TakeState): string[] {
  const asked = requests.get(request)?.payload.items.find(({ item }) => item === requestedAs);
  return [...new Set((asked?.payload.assets ?? []).map(({ product }) => nameOf(product)))];
}

function nameOf(ref: ObjectRef): string {
  return 'id' in ref ? idKey(ref.id) : ref.address;
}

/** Whether `now` has all products of `before`. */
export function showsAll(now: readonly ReadonlySet<string>[], before: readonly string[]): boolean {
  return before.every((name) => now.some((names) => names.has(name)));
}

/** Whether `before` has all products of `now`. */
export function showsAllOf(before: readonly string[], now: readonly ReadonlySet<string>[]): boolean {
  return now.every((names) => before.some((name) => names.has(name)));
}

/**
 * The products of the state that a new one may be: the manifest does not name them, and they have exactly the same
 * photos, or one in common that no third product has.
 */
function createAlike(graph: Graph, { objects }: RunState): (address: Address) => ReadonlySet<Address> {
  let collected: ReturnType<typeof collect> | undefined;
  const collect = () => {
    const known = [...objects.values()].filter(isProduct);
    return {
      unnamed: known.filter(({ address }) => !graph.objects.has(address)),
      own: ownPhotos(known, [...graph.objects.values()].filter(isProduct)),
    };
  };
  return (address) => {
    const { unnamed, own } = (collected ??= collect());
    const product = graph.objects.get(address);
    const photos = product ? photosOf(product) : [];
    const alike = unnamed.filter((known) => {
      const had = photosOf(known);
      const isWhole = photos.length > 0 && photos.join(' ') === had.join(' ');
      return isWhole || had.some((photo) => own.has(photo) && photos.includes(photo));
    });
    return new Set(alike.map((known) => known.address));
  };
}
