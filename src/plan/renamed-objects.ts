/**
 * Products and concepts with a new name: the state has one that the manifest no longer names, or whose key something else
 * has now, as by who puts the photos of another product into a folder after renaming it. Their posts go along, and are asked
 * about where something changed. An unknown create moves as well, because it would otherwise be made a second time
 * under its new name.
 */
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import { hasKey, kindOf } from '../model/kinds.ts';
import type { Move } from '../model/plan.ts';
import { currentTake, type ObjectState, type RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { groupBy } from '../util/group-by.ts';
import { isJsonArray, isJsonObject, textOf } from '../util/json.ts';
import { isRecent } from './marks.ts';
import { pairInChains } from './move-steps.ts';

type Known = Pick<GraphObject, 'address' | 'fingerprint' | 'inputs'>;

/** In the order of the moves: each makes room for the next. */
export function renamedObjects(graph: Graph, state: RunState): Move[] {
  const known = [...state.objects.values()].filter(
    ({ address, fingerprint }) => hasKey(address) && fingerprint,
  );
  const wanted = [...graph.objects.values()].filter(({ address, external }) => hasKey(address) && !external);
  const isTaken = ({ address }: Pick<Known, 'address'>) => state.objects.has(address);
  if (!known.length || wanted.every(isTaken)) return [];
  const inUse = usedIn(graph);
  // A new one that no post shows comes last: a copy of a product would take the posts of that product to where nobody asks for them.
  const isUnused = (object: Known) => !isTaken(object) && !inUse.has(object.address);
  const isSign = new Set([
    ...signsOf(known, wanted),
    ...signsOf(
      known,
      wanted.filter((object) => !isUnused(object)),
    ),
  ]);
  const marked = (object: Known) => ({
    address: object.address,
    marks: marksOf(object, isSign),
  });
  const shown = known.some(({ address }) => !graph.objects.has(address)) ? shownIn(state) : undefined;
  const isOld = ({ versions }: ObjectState) => ![...versions.keys()].some((version) => shown?.has(version));
  // What got or lost a photo is known by what it had, so that only what has exactly its content takes it away.
  const wantedAs = (object: GraphObject) => {
    const before = state.objects.get(object.address);
    const { address, marks } = marked(before && isStill(before, object) ? before : object);
    return { address, marks: marks.with(0, object.fingerprint), isUnused: isUnused(object) };
  };
  const had = known.map((object) => ({ ...marked(object), isOld: isOld(object) }));
  return pairInChains(had, wanted.map(wantedAs), isTaken);
}

function usedIn({ posts }: Graph): ReadonlySet<Address> {
  return new Set(
    posts.flatMap(({ concept, items }) => [
      ...('address' in concept ? [concept.address] : []),
      ...items.flatMap(({ products }) => products),
    ]),
  );
}

/** The products and concepts of posts that no apply has left alone. */
function shownIn({ media }: RunState): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const medium of media.values()) {
    const { concept, assets } = (isRecent(medium) ? currentTake(medium)?.inputs : undefined) ?? {};
    shown.add(textOf(concept));
    for (const asset of isJsonArray(assets) ? assets : [])
      if (isJsonObject(asset)) shown.add(textOf(asset['product']));
  }
  return shown;
}

/** Whether one that got or lost photos has the same words and some of the same photos. */
function isStill(before: Known, now: Known): boolean {
  const photos = new Set(photosOf(before));
  return (
    wordsOf(before).join('\n') === wordsOf(now).join('\n') && photosOf(now).some((photo) => photos.has(photo))
  );
}

/**
 * The same content, the same photos and name, the same photos; then a name, a description or a photo which one object of the
 * state has and one of the manifest.
 */
function marksOf({ address, fingerprint, inputs }: Known, isSign: ReadonlySet<string>) {
  const photos = photosOf({ address, inputs });
  const all = photos.length ? photos.join(' ') : undefined;
  const [name, description] = wordsOf({ address, inputs });
  const ifSign = (mark: string | undefined) => (mark !== undefined && isSign.has(mark) ? mark : undefined);
  return [
    fingerprint,
    all && name && `${all} ${name}`,
    all,
    ifSign(name),
    ifSign(description),
    photos.toSorted().find((photo) => isSign.has(photo)),
  ];
}

function signsOf(known: readonly Known[], wanted: readonly Known[]): ReadonlySet<string> {
  const [before, now] = [known, wanted].map((objects) => {
    const marks = objects.flatMap((object) => [...new Set(photosOf(object)), ...wordsOf(object)]);
    return groupBy(marks, (mark) => mark ?? '');
  });
  return new Set(
    [...(before ?? [])].flatMap(([mark, all]) =>
      all.length === 1 && now?.get(mark)?.length === 1 ? mark : [],
    ),
  );
}

function photosOf({ address, inputs: { images } }: Pick<Known, 'address' | 'inputs'>): string[] {
  return isJsonArray(images) ? images.map((image) => `${kindOf(address)} ${canonicalJson(image)}`) : [];
}

function wordsOf({ address, inputs }: Pick<Known, 'address' | 'inputs'>): (string | undefined)[] {
  return ['name', 'description'].map((member) =>
    inputs[member] === undefined
      ? undefined
      : `${kindOf(address)} ${member} ${canonicalJson(inputs[member])}`,
  );
}
