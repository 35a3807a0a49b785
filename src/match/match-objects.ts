/**
 * Which product and which concept of the state each of the manifest is: one with exactly the same content, else by the
 * same photos, by its key, or by a photo, a description or reference images that it shares with only one.
 */
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import { hasKey, kindOf } from '../model/kinds.ts';
import type { Move } from '../model/plan.ts';
import type { ObjectState, RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { groupBy } from '../util/group-by.ts';
import { isJsonArray } from '../util/json.ts';
import { createAside } from './moves.ts';
import { isProduct, ownPhotos, photosOf, type Shown } from './photos.ts';

/** In the state, each moved thing has its place at `to`; what has to make room for one gets a name of its own. */
export function matchObjects(
  graph: Graph,
  { objects }: Pick<RunState, 'objects'>,
  isStated: (address: Address) => boolean,
): Move[] {
  const named = [...graph.objects.values()].filter(({ address }) => hasKey(address));
  const wanted = named.filter(({ external }) => external === undefined);
  const isExact = ({ address, fingerprint }: GraphObject) =>
    objects.get(address)?.fingerprint === fingerprint;
  if (wanted.every(isExact)) return [];
  const known = [...objects.values()].filter(({ address }) => hasKey(address));
  const pairs = new Pairs(known, wanted);
  for (const object of wanted)
    if (isStated(object.address) || isExact(object)) pairs.add(object.address, object.address);
  pairs.addEqual();
  // What was let go is found by its content or its key only.
  const held = () => pairs.free.filter(({ letGo }) => !letGo);
  pairs.addOnly(held().filter(isProduct), (object) => {
    const photos = isProduct(object) ? photosOf(object).join(' ') : '';
    return photos === '' ? [] : [photos];
  });
  for (const { address } of pairs.open) if (pairs.isFree(address)) pairs.add(address, address);
  // What is left is named by nothing: its key is gone, or something else has it.
  const unnamed = held().filter(({ address }) => graph.objects.get(address)?.external === undefined);
  const own = ownPhotos(known.filter(isProduct), named.filter(isProduct));
  pairs.addOnly(unnamed.filter(isProduct), (object) =>
    isProduct(object) ? photosOf(object).filter((photo) => own.has(photo)) : [],
  );
  pairs.addOnly(
    unnamed.filter((object) => !isProduct(object)),
    (object) => (isProduct(object) ? [] : wordsAndReferences(object)),
  );
  return pairs.moves(objects);
}

function wordsAndReferences({ inputs: { description, ref_images: images } }: Shown): string[] {
  const isThere = isJsonArray(images) && images.length > 0;
  return [
    ...(description === undefined ? [] : [`words ${canonicalJson(description)}`]),
    ...(isThere ? [`images ${canonicalJson(images)}`] : []),
  ];
}

/** Each of the known becomes at most one of the wanted. */
class Pairs {
  readonly #known: readonly ObjectState[];
  readonly #wanted: readonly GraphObject[];
  readonly #free: Set<Address>;
  readonly #origins = new Map<Address, Address>();

  constructor(known: readonly ObjectState[], wanted: readonly GraphObject[]) {
    this.#known = known;
    this.#wanted = wanted;
    this.#free = new Set(known.map(({ address }) => address));
  }

  get free(): readonly ObjectState[] {
    return this.#known.filter(({ address }) => this.isFree(address));
  }

  get open(): readonly GraphObject[] {
    return this.#wanted.filter(({ address }) => !this.#origins.has(address));
  }

  isFree(address: Address): boolean {
    return this.#free.has(address);
  }

  add(from: Address, to: Address): void {
    this.#free.delete(from);
    this.#origins.set(to, from);
  }

  /** Those with the same content, in the order of their addresses. */
  addEqual(): void {
    const contentOf = ({ address, fingerprint }: Pick<GraphObject, 'address' | 'fingerprint'>) =>
      `${kindOf(address)} ${fingerprint}`;
    const alike = groupBy(this.free.toSorted(byAddress), contentOf);
    for (const object of this.open.toSorted(byAddress)) {
      const from = alike.get(contentOf(object))?.shift();
      if (from) this.add(from.address, object.address);
    }
  }

  /** Those that have a mark in common with each other, and with no other one. */
  addOnly(known: readonly ObjectState[], marksOf: (object: Shown) => readonly string[]): void {
    const byMark = new Map<string, Address[]>();
    for (const object of known)
      for (const mark of marksOf(object)) byMark.set(mark, [...(byMark.get(mark) ?? []), object.address]);
    const alike = this.open.map((object) => ({
      to: object.address,
      from: new Set(marksOf(object).flatMap((mark) => byMark.get(mark) ?? [])),
    }));
    const claims = groupBy(
      alike.flatMap(({ from }) => [...from]),
      (address) => address,
    );
    for (const { to, from } of alike) {
      const [only, ...others] = from;
      if (only !== undefined && !others.length && claims.get(only)?.length === 1) this.add(only, to);
    }
  }

  moves(objects: RunState['objects']): Move[] {
    const moves = [...this.#origins].flatMap(([to, from]) => (from === to ? [] : [{ from, to }]));
    const aside = createAside((address) => objects.has(address));
    const displaced = moves.flatMap(({ to }) => (this.isFree(to) ? [{ from: to, to: aside(to) }] : []));
    return [...moves, ...displaced];
  }
}

function byAddress({ address: a }: Shown, { address: b }: Shown): number {
  return a < b ? -1 : Number(a > b);
}
