import { mediaAddress } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { inputsByName } from './by-name.ts';
import { pairOneToOne } from './move-steps.ts';
import { groupBy } from '../util/group-by.ts';

/** What an item must have in common with one of the state to count as the same. */
interface Marks {
  readonly ofItem: (item: GraphItem) => string;
  readonly ofMedium: (medium: MediaState) => string;
}

/** Posts whose set of items is exactly that of one post which the manifest no longer names. */
export function renamedPosts(graph: Graph, state: RunState): Move[] {
  return pairPosts(graph, state, {
    ofItem: ({ fingerprint }) => fingerprint,
    ofMedium: (medium) => currentTake(medium)?.fingerprint ?? '',
  });
}

/**
 * Posts that follow a product or concept which `moved` renames, as the instances of a matrix do. Their items are those
 * of one post that is gone, whatever else changed inside that object.
 */
export function followingPosts(graph: Graph, state: RunState, moved: readonly Move[]): Move[] {
  const objects = moved.map(({ to }) => to).filter((address) => graph.objects.has(address));
  if (!objects.length) return [];
  const byName = inputsByName(graph, state, objects);
  return pairPosts(graph, state, {
    ofItem: ({ inputs }) => byName(inputs),
    ofMedium: (medium) => byName(currentTake(medium)?.inputs ?? {}),
  });
}

function pairPosts(graph: Graph, state: RunState, { ofItem, ofMedium }: Marks): Move[] {
  const byPost = mediaByPost(state);
  const named = new Set(graph.posts.map(({ path }) => path));
  const asOne = (marks: string[]) => marks.sort().join(' ');
  const gone = [...byPost]
    .filter(([path]) => !named.has(path))
    .map(([path, media]) => ({
      address: path,
      fingerprint: asOne(media.filter(({ surplus }) => !surplus).map(ofMedium)),
    }));
  const fresh = graph.posts
    .filter(({ path, items }) => items.length && !byPost.has(path))
    .map(({ path, items }) => ({ address: path, fingerprint: asOne(items.map(ofItem)) }));
  return pairOneToOne(gone, fresh).flatMap(({ from, to }) =>
    (byPost.get(from) ?? []).map(({ address, item }) => ({ from: address, to: mediaAddress(to, item) })),
  );
}

/** The media of a state, by the post that they belong to. */
export function mediaByPost(state: RunState): Map<string, MediaState[]> {
  return groupBy(state.media.values(), ({ post }) => post);
}
