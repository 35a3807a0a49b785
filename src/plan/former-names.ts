/**
 * What got another address although nobody wrote one: the key of a folder is made from its name, and addresses of posts
 * from the values of their matrix. Posts go with the product or concept that their address names.
 */
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject, GraphPost } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { groupBy } from '../util/group-by.ts';
import { formerSlug } from '../util/slug.ts';
import { movePost } from './period-moves.ts';

/**
 * Products that have another key than version 0.1 gave their folders, or than they had before a folder with the same slug
 * came. Where several claim an object of the state, or the manifest still names it, its content decides.
 */
export function formerObjects(graph: Graph, state: RunState): Move[] {
  const claims = [...graph.objects.values()].flatMap((object) =>
    state.objects.has(object.address) || object.external !== undefined
      ? []
      : (object.formerly ?? []).map((from) => ({ from, object })),
  );
  const reached = new Set<Address>();
  return [...groupBy(claims, ({ from }) => from)].flatMap(([from, claimants]) => {
    const to = claimantOf(from, { claimants: claimants.map(({ object }) => object), graph, state });
    if (!to || reached.has(to.address)) return [];
    reached.add(to.address);
    return [{ from, to: to.address }];
  });
}

function claimantOf(
  from: Address,
  { claimants, graph, state }: { claimants: readonly GraphObject[]; graph: Graph; state: RunState },
): GraphObject | undefined {
  const known = state.objects.get(from);
  if (!known) return undefined;
  const named = graph.objects.get(from);
  if (!named && claimants.length === 1) return claimants[0];
  if (named?.fingerprint === known.fingerprint) return undefined;
  const [same, ...others] = claimants.filter(({ fingerprint }) => fingerprint === known.fingerprint);
  return others.length ? undefined : same;
}

/**
 * Posts whose address differs from that of a post in the state in nothing but the names of objects that were moved, or in
 * how version 0.1 wrote it. A post that the manifest still names stays, unless its object made room for another. What makes
 * room does so first, so this is asked for absent posts until nothing moves, and then for those of which a part is there:
 * the rest did not move when the power failed.
 */
export function followingPosts(graph: Graph, { moved, reached, which }: Following, state: RunState): Move[] {
  const before = groupBy(moved, ({ to }) => partOf(to));
  if (!before.size && graph.posts.every(({ formerly }) => formerly === undefined)) return [];
  const byPost = groupBy(state.media.values(), ({ post }) => post);
  const named = new Set(graph.posts.map(({ path }) => path));
  const left = new Set<string>();
  return graph.posts.flatMap((post) => {
    const known = byPost.get(post.path)?.length ?? 0;
    const isOpen = which === 'absent' ? known === 0 : known > 0 && known < post.items.length;
    const former = isOpen && !reached.has(post.path) ? formerPaths(post, before) : [];
    const from = former.find(({ path, moves }) => {
      const madeRoom = moves.length > 0 && moves.every((move) => graph.objects.has(move.from));
      return byPost.has(path) && !left.has(path) && (madeRoom || !named.has(path));
    });
    if (!from) return [];
    left.add(from.path);
    reached.add(post.path);
    const to = { path: post.path, period: post.period?.name };
    return (byPost.get(from.path) ?? [])
      .map((media) => movePost(media, to))
      .filter((move) => !state.media.has(move.to));
  });
}

interface Following {
  readonly moved: readonly Move[];
  readonly which: 'absent' | 'partial';
  /** Posts that got what follows; more are added here. */
  readonly reached: Set<string>;
}

interface FormerPath {
  readonly path: string;
  readonly moves: readonly Move[];
}

/** What the address of a post may have been, and because of which moves; `before` has them by a part of the address. */
function formerPaths({ path, formerly }: GraphPost, before: ReadonlyMap<string, readonly Move[]>) {
  const forms = formerly === undefined ? [path] : [path, formerly];
  const renamed = forms.flatMap((form) => {
    const [post = '', instance = ''] = form.split('/');
    const none: readonly FormerPath[] = [{ path: '', moves: [] }];
    // A product and a concept may have one key, of which only one is new.
    const instances = instance.split('+').reduce((all, part) => {
      const was = [...(before.get(part) ?? []), undefined];
      return all.flatMap((each) => was.map((move) => withPart(each, move ? partOf(move.from) : part, move)));
    }, none);
    return instances.map((each) => ({ ...each, path: `${post}/${each.path.slice(1)}` }));
  });
  return [...renamed, { path: formerly ?? path, moves: [] }].filter((form) => form.path !== path);
}

function withPart({ path, moves }: FormerPath, part: string, move: Move | undefined): FormerPath {
  return { path: `${path}+${part}`, moves: move ? [...moves, move] : moves };
}

/**
 * Posts of products and concepts that were moved, which the manifest does not ask for at present: those of settled periods
 * and of combinations that were taken out. Asked for again, they would be bought anew under their new name.
 */
export function followingOthers(graph: Graph, state: RunState, moved: readonly Move[]): Move[] {
  // Where a product and a concept share the key, nobody knows whose name an address has.
  const clear = moved.filter(({ from, to }) => !hasTwin(from, graph, state) && !hasTwin(to, graph, state));
  const after = new Map(clear.map((move) => [partOf(move.from), move]));
  if (!after.size) return [];
  const named = new Set(graph.posts.map(({ path }) => path));
  const byPost = groupBy(state.media.values(), ({ post }) => post);
  return [...byPost].flatMap(([path, media]) => {
    const to = named.has(path) ? path : laterPath(path, { media, after, state });
    if (named.has(to)) return [];
    return media
      .map((medium) => movePost(medium, { path: to, period: medium.period }))
      .filter((move) => !state.media.has(move.to));
  });
}

function hasTwin(address: Address, { objects }: Graph, state: RunState): boolean {
  const [kind, key] = address.split('/');
  const twin = `${kind === 'product' ? 'concept' : 'product'}/${key}`;
  return objects.has(twin) || state.objects.has(twin);
}

interface Later {
  readonly media: readonly MediaState[];
  /** Moves by a part of the addresses of posts. */
  readonly after: ReadonlyMap<string, Move>;
  readonly state: RunState;
}

/** A value of a matrix may be called like a product: the posts themselves say whether they were made with it. */
function laterPath(path: string, { media, after, state }: Later): string {
  const [post = '', instance = ''] = path.split('/');
  const parts = instance.split('+').map((part) => {
    const to = after.get(part)?.to;
    if (to === undefined) return part;
    const versions = [...(state.objects.get(to)?.versions.keys() ?? [])];
    return media.some((medium) => isMadeWith(medium, versions)) ? partOf(to) : part;
  });
  return instance === '' ? path : `${post}/${parts.join('+')}`;
}

export function isMadeWith({ takes }: MediaState, versions: readonly string[]): boolean {
  return takes.some(({ inputs }) => {
    const text = canonicalJson(inputs);
    return versions.some((version) => text.includes(`"${version}"`));
  });
}

/** The part of the address of a post that stands for a product or concept. */
export function partOf(address: Address): string {
  return formerSlug(address.slice(address.indexOf('/') + 1));
}
