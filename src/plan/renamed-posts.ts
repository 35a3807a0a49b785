import { mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { type Marks, SAME_CONTENT, sameByName } from './marks.ts';
import { pairOneToOne } from './move-steps.ts';
import { groupBy } from '../util/group-by.ts';

/** Posts whose set of items is exactly that of one post which the manifest no longer names. */
export function renamedPosts(graph: Graph, state: RunState): Move[] {
  return pairPosts(graph, state, SAME_CONTENT);
}

/**
 * Posts that follow a product or concept which `moved` renames, as the instances of a matrix do. Their items are those
 * of one post that is gone, whatever else changed inside that object.
 */
export function followingPosts(graph: Graph, state: RunState, moved: readonly Move[]): Move[] {
  const objects = moved.map(({ to }) => to).filter((address) => graph.objects.has(address));
  if (!objects.length) return [];
  return pairPosts(graph, state, sameByName(graph, state, objects));
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
