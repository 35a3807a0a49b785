import { splitMedia } from '../model/address.ts';
import { hasKey } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { askedMoves } from './asked-moves.ts';
import { displacedItems } from './displaced-items.ts';
import { matchAsAsked } from './edits-left.ts';
import { exchangedItems } from './exchanged-items.ts';
import { followingOthers, followingPosts, formerObjects } from './former-names.ts';
import { type Marks, SAME_CONTENT } from './marks.ts';
import { type MatchedState, matchItems } from './match-items.ts';
import { moveInSteps, untilNoneMoves } from './move-steps.ts';
import { followingSets, movePost, movesToPresent, pairInPeriods } from './period-moves.ts';
import { findMoving } from './periods.ts';
import { postsMakingRoom, returningObjects } from './returning-names.ts';
import { renamedObjects } from './renamed-objects.ts';
import { renamedPlans } from './renamed-plans.ts';

/** What was renamed, and which item is which. */
export function matchState(graph: Graph, state: RunState): MatchedState {
  return matchAsAsked(graph, state, (asked) => matchInSteps(graph, asked));
}

/** Renames that the manifest states come first. */
function matchInSteps(graph: Graph, state: RunState): MatchedState {
  const former = moveInSteps(askedMoves(graph, state), [
    (now) => returningObjects(graph, now),
    (now) => formerObjects(graph, now),
  ]);
  const objects = moveInSteps(former, [(now) => renamedObjects(graph, now)]);
  const renamed = objects.moves.filter(({ to }) => hasKey(to));
  const present = moveInSteps(objects, [
    (now) => movesToPresent(graph, now),
    (now) => postsMakingRoom(graph, now),
  ]);
  const reached = new Set<string>();
  const following = (which: 'absent' | 'partial') => (now: RunState) =>
    followingPosts(graph, { moved: renamed, which, reached }, now);
  const posts = moveInSteps(untilNoneMoves(present, following('absent')), [
    following('partial'),
    (now) => renamedPlans(graph, now),
    (now) => pairPosts(graph, now, SAME_CONTENT),
    (now) => followingOthers(graph, now, renamed),
    // What followed its product or concept may have another `every`, too.
    (now) => movesToPresent(graph, now),
  ]);
  const settled = moveInSteps(posts, [(now) => followingSets(graph, now, posts.moves)]);
  const items = moveInSteps(settled, [
    (now) => displacedItems(graph, now),
    (now) => exchangedItems(graph, now),
  ]);
  const matched = matchItems(graph, items);
  return {
    ...matched,
    ...moveInSteps(matched, [(now) => followingLikely(graph, now, matched.moves)]),
  };
}

/** Settled sets of an instance that only its items showed to be another one; that one may have sets of its own. */
function followingLikely(graph: Graph, state: RunState, moves: readonly Move[]): Move[] {
  const following = followingSets(graph, state, moves);
  if (!following.length) return [];
  const known = new Set([...state.media.values()].map(({ post }) => post));
  return following.filter(({ to }) => !known.has(splitMedia(to).post));
}

/** Posts whose items have exactly the marks of one post which the manifest no longer names. */
function pairPosts(graph: Graph, state: RunState, { ofItem, ofMedium }: Marks): Move[] {
  const known = new Set<string>();
  for (const { post } of state.media.values()) known.add(post);
  const fresh = graph.posts.filter(({ path, items }) => items.length && !known.has(path));
  if (!fresh.length) return [];
  const named = new Set(graph.posts.map(({ path }) => path));
  const periods = [...new Set(fresh.map(({ period }) => period?.name))];
  const mayBecome = findMoving(graph, state);
  const gone = groupBy(
    [...state.media.values()].filter(
      (media) => !named.has(media.post) && periods.some((period) => mayBecome(media, period)),
    ),
    ({ post }) => post,
  );
  if (!gone.size) return [];
  const asOne = (marks: string[]) => marks.sort().join(' ');
  const had = [...gone].flatMap(([path, all]) => {
    const fingerprint = asOne(all.filter(({ surplus }) => !surplus).map(ofMedium));
    return all[0] ? { address: path, fingerprint, media: all[0] } : [];
  });
  const wanted = fresh.map(({ path, items, period }) => ({
    address: path,
    fingerprint: asOne(items.map(ofItem)),
    period: period?.name,
  }));
  const periodAt = new Map(wanted.map(({ address, period }) => [address, period]));
  return pairInPeriods(had, wanted, mayBecome).flatMap(({ from, to }) =>
    (gone.get(from) ?? []).map((media) => movePost(media, { path: to, period: periodAt.get(to) })),
  );
}
