/**
 * The rule for what nothing exact has recognised. An item that is wanted and has no post yet takes over the likeliest of the
 * posts that the manifest no longer names: one that shows the same products, first with the same text, then of the same post plan or in
 * the same format; or one of the same instance and type; or one with the same photos in the same format; or one that differs in
 * nothing but one of several products, or shows one of them with the same text; at last one of the same post plan, where the
 * products of both have changed places. So it becomes a replacement, which is asked about. Two edits in one may leave nothing
 * exact, and bought as a new one, a post would be paid for twice without a question.
 */
import { postPlanOf } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, textOf } from '../util/json.ts';
import { isNumber } from './item-numbers.ts';
import { namesOf, type PlacedMarks } from './marks.ts';

interface Features {
  readonly path: string;
  readonly plan: string;
  /** The key of an item, if it has one. */
  readonly key: string;
  readonly products: string;
  /** Of several products in the order of their addresses: if one comes or goes, one of both stays. */
  readonly first: string;
  readonly last: string;
  /** The photos of the products; several may have the same ones. */
  readonly photos: string;
  /** The products, where those that have the photos of each other are one: nobody knows which of them is which. */
  readonly exchanged: string;
  readonly concept: string;
  readonly format: string;
  /** Of the post: image, video or carousel. */
  readonly type: string;
  readonly words: string;
}

/** What must be the same, from the likeliest to the least likely. */
type Tiers = readonly (readonly (keyof Features)[])[];

const TIERS: Tiers = [
  ['plan', 'products', 'concept', 'format', 'words'],
  ['plan', 'products', 'format', 'words'],
  ['plan', 'products', 'words'],
  ['products', 'concept', 'format', 'words'],
  ['products', 'format', 'words'],
  ['products', 'words'],
  ['plan', 'products', 'concept', 'format', 'key'],
  ['plan', 'products', 'concept', 'format'],
  ['products', 'concept', 'format', 'key'],
  ['products', 'concept', 'format'],
  ['plan', 'products'],
  ['plan', 'photos'],
  ['photos', 'concept', 'format'],
  ['path', 'format'],
  ['first', 'concept', 'format', 'words'],
  ['last', 'concept', 'format', 'words'],
  ['path', 'type'],
  ['first', 'words'],
  ['last', 'words'],
  ['products', 'format'],
  ['photos', 'format'],
  ['products', 'concept'],
  ['products'],
  ['first', 'concept', 'format'],
  ['last', 'concept', 'format'],
  ['plan', 'exchanged', 'concept', 'format'],
  ['plan', 'exchanged'],
];

interface Likeliest {
  readonly tiers?: Tiers;
  /** The path that a post has now, where its plan has got another key. */
  readonly pathOf?: (medium: MediaState) => string;
}

/** Marks of what may be the same, the likeliest first; nothing is looked up before one is asked for. */
export function* likeliest(
  graph: Graph,
  state: RunState,
  { tiers = TIERS, pathOf = ({ post }) => post }: Likeliest = {},
): Generator<PlacedMarks> {
  let names: Names | undefined;
  let photos: Names | undefined;
  let exchanged: Names | undefined;
  const known = new Map<object, Features>();
  const featuresOf = (of: object, { inputs, path, key = '' }: Described): Features => {
    names ??= namesOf(graph, state);
    photos ??= photosIn(graph, state);
    exchanged ??= exchangedIn(graph, state, names);
    const features = known.get(of) ?? {
      path,
      key,
      plan: postPlanOf(path),
      ...productsOf(inputs, names),
      photos: productsOf(inputs, photos).products,
      exchanged: productsOf(inputs, exchanged).products,
      concept: conceptOf(inputs, { names, state }),
      format: canonicalJson([inputs['post_type'] ?? '', inputs['metadata'] ?? {}]),
      type: textOf(inputs['post_type']),
      words: canonicalJson([inputs['descriptions'] ?? [], inputs['variants'] ?? []]),
    };
    known.set(of, features);
    return features;
  };
  for (const tier of tiers) {
    const markOf = (features: Features) => tier.map((name) => features[name]).join('\n');
    yield {
      ofItem: (item, path) => markOf(featuresOf(item, { ...item, path })),
      ofMedium: (medium) => {
        const { inputs = {} } = currentTake(medium) ?? {};
        const key = isNumber(medium.item) ? undefined : medium.item;
        return markOf(featuresOf(medium, { inputs, path: pathOf(medium), key }));
      },
    };
  }
}

interface Described {
  readonly inputs: JsonObject;
  readonly path: string;
  readonly key?: string | undefined;
}

type Names = ReadonlyMap<string, string>;

/** By their addresses, so that they stay the same when they change. */
function productsOf({ assets }: JsonObject, names: Names): Pick<Features, 'products' | 'first' | 'last'> {
  const products = (isJsonArray(assets) ? assets : []).map((asset) =>
    isJsonObject(asset) ? nameOf(asset['product'], names) : '',
  );
  const inOrder = products.toSorted();
  return { products: products.join(' '), first: `${inOrder.at(0)}`, last: `${inOrder.at(-1)}` };
}

/** The photos of all versions of products, by their fingerprints. */
function photosIn(graph: Graph, state: RunState): Names {
  const versions = [
    ...[...state.objects.values()].flatMap((object) => [...object.versions]),
    ...[...graph.objects.values()].map(({ fingerprint, inputs }) => [fingerprint, inputs] as const),
  ];
  return new Map(
    versions.flatMap(([fingerprint, inputs]) => {
      const photos = photosOf(inputs);
      return photos === undefined ? [] : [[fingerprint, photos] as const];
    }),
  );
}

/** In another order they are the same ones. */
function photosOf({ images }: JsonObject): string | undefined {
  return isJsonArray(images) && images.length ? images.map(canonicalJson).sort().join(' ') : undefined;
}

/** Whose photos another one had before, while that one's key has others, too. */
function exchangedIn(graph: Graph, state: RunState, names: Names): Names {
  const changed = [...graph.objects.values()].flatMap(({ address, inputs }) => {
    const before = photosOf(state.objects.get(address)?.inputs ?? {});
    const now = photosOf(inputs);
    return before !== undefined && before !== now ? { address, before, now } : [];
  });
  const had = new Set(changed.map(({ before }) => before));
  const has = new Set(changed.map(({ now }) => now));
  const exchanged = new Set(
    changed.flatMap(({ address, before, now = '' }) => (had.has(now) && has.has(before) ? address : [])),
  );
  return new Map([...names].map(([version, name]) => [version, exchanged.has(name) ? '' : name]));
}

/** Nobody knows whether a concept that is gone became one that is new. */
function conceptOf({ concept }: JsonObject, { names, state }: { names: Names; state: RunState }): string {
  const address = names.get(textOf(concept));
  return address !== undefined && state.objects.has(address) ? address : '';
}

function nameOf(fingerprint: Json | undefined, names: Names): string {
  const text = textOf(fingerprint);
  return names.get(text) ?? text;
}
