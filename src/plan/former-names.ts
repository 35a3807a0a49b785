/**
 * What got another address although nobody wrote one: the key of a folder is made from its name, and addresses of posts
 * from the values of their matrix. Posts go with the product or concept that their address names.
 */
import type { Address } from '../model/address.ts';
import type { Graph, GraphObject, GraphPost } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
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
 * how version 0.1 wrote it. A post that the manifest still names stays, unless its object made room for another.
 */
export function followingPosts(graph: Graph, state: RunState, moved: readonly Move[]): Move[] {
  const before = new Map(moved.map((move) => [partOf(move.to), move]));
  if (!before.size && graph.posts.every(({ formerly }) => formerly === undefined)) return [];
  const byPost = groupBy(state.media.values(), ({ post }) => post);
  const named = new Set(graph.posts.map(({ path }) => path));
  const left = new Set<string>();
  return graph.posts.flatMap((post) => {
    const former = byPost.has(post.path) ? [] : formerPaths(post, before);
    const from = former.find(({ path, moves }) => {
      const madeRoom = moves.length > 0 && moves.every((move) => graph.objects.has(move.from));
      return byPost.has(path) && !left.has(path) && (madeRoom || !named.has(path));
    });
    if (!from) return [];
    left.add(from.path);
    const to = { path: post.path, period: post.period?.name };
    return (byPost.get(from.path) ?? []).map((media) => movePost(media, to));
  });
}

/** What the address of a post may have been, and because of which moves; `before` has them by a part of the address. */
function formerPaths({ path, formerly }: GraphPost, before: ReadonlyMap<string, Move>) {
  const forms = formerly === undefined ? [path] : [path, formerly];
  const renamed = forms.map((form) => {
    const [post = '', instance = ''] = form.split('/');
    const parts = instance.split('+').map((part) => ({ part, move: before.get(part) }));
    const names = parts.map(({ part, move }) => (move ? partOf(move.from) : part));
    return { path: `${post}/${names.join('+')}`, moves: parts.flatMap(({ move }) => move ?? []) };
  });
  return [...renamed, { path: formerly ?? path, moves: [] }].filter((form) => form.path !== path);
}

/** The part of the address of a post that stands for a product or concept. */
function partOf(address: Address): string {
  return formerSlug(address.slice(address.indexOf('/') + 1));
}
