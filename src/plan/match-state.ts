import { hasKey } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { askedMoves } from './asked-moves.ts';
import { followingPosts, formerObjects } from './former-names.ts';
import { type Marks, SAME_CONTENT } from './marks.ts';
import { type MatchedState, matchItems } from './match-items.ts';
import { moveInSteps, pairOneToOne } from './move-steps.ts';
import { followingSets, movePost, pairInPeriods, presentSets } from './period-moves.ts';
import { findMoving } from './periods.ts';

/** What was renamed, and which item is which. Renames that the manifest states come first. */
export function matchState(graph: Graph, state: RunState): MatchedState {
  const objects = moveInSteps(askedMoves(graph, state), [
    (now) => formerObjects(graph, now),
    (now) => renamedObjects(graph, now),
  ]);
  const renamed = objects.moves.filter(({ to }) => hasKey(to));
  const posts = moveInSteps(objects, [
    (now) => presentSets(graph, now),
    (now) => followingPosts(graph, now, renamed),
    (now) => pairPosts(graph, now, SAME_CONTENT),
  ]);
  return matchItems(graph, moveInSteps(posts, [(now) => followingSets(graph, now, posts.moves)]));
}

/**
 * Products and concepts with a new name: the state has one that the manifest no longer names, the manifest a new one
 * with exactly the same fingerprint, and no others have it. An unknown create moves as well, because it would otherwise
 * be paid for a second time under its new name.
 */
function renamedObjects(graph: Graph, state: RunState): Move[] {
  const gone = [...state.objects.values()].filter(
    ({ address, fingerprint }) => hasKey(address) && fingerprint && !graph.objects.has(address),
  );
  if (!gone.length) return [];
  const fresh = [...graph.objects.values()].filter(
    ({ address, external }) => hasKey(address) && !external && !state.objects.has(address),
  );
  return pairOneToOne(gone, fresh);
}

/** Posts whose items have exactly the marks of one post which the manifest no longer names. */
function pairPosts(graph: Graph, state: RunState, { ofItem, ofMedium }: Marks): Move[] {
  const byPost = groupBy(state.media.values(), ({ post }) => post);
  const named = new Set(graph.posts.map(({ path }) => path));
  const fresh = graph.posts.filter(({ path, items }) => items.length && !byPost.has(path));
  const periods = [...new Set(fresh.map(({ period }) => period?.name))];
  const mayBecome = findMoving(graph, state);
  const asOne = (marks: string[]) => marks.sort().join(' ');
  const gone = [...byPost].flatMap(([path, all]) => {
    const [media] = all;
    if (named.has(path) || !media || !periods.some((period) => mayBecome(media, period))) return [];
    const fingerprint = asOne(all.filter(({ surplus }) => !surplus).map(ofMedium));
    return [{ address: path, fingerprint, media }];
  });
  if (!gone.length) return [];
  const wanted = fresh.map(({ path, items, period }) => ({
    address: path,
    fingerprint: asOne(items.map(ofItem)),
    period: period?.name,
  }));
  const periodAt = new Map(wanted.map(({ address, period }) => [address, period]));
  return pairInPeriods(gone, wanted, mayBecome).flatMap(({ from, to }) =>
    (byPost.get(from) ?? []).map((media) => movePost(media, { path: to, period: periodAt.get(to) })),
  );
}
