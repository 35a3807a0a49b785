import { hasKey } from '../model/kinds.ts';
import type { Graph, GraphObject } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { ObjectState, RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { groupBy } from '../util/group-by.ts';
import { isJsonArray } from '../util/json.ts';
import { askedMoves } from './asked-moves.ts';
import { displacedItems } from './displaced-items.ts';
import { followingOthers, followingPosts, formerObjects } from './former-names.ts';
import { type Marks, SAME_CONTENT, sameByName } from './marks.ts';
import { type MatchedState, matchItems } from './match-items.ts';
import { type Marked, moveInSteps, pairEqual, pairOneToOne, untilNoneMoves } from './move-steps.ts';
import { followingSets, movePost, movesToPresent, pairInPeriods } from './period-moves.ts';
import { findMoving } from './periods.ts';
import { postsMakingRoom, returningObjects } from './returning-names.ts';
import { renamedPlans } from './renamed-plans.ts';

/** What was renamed, and which item is which. Renames that the manifest states come first. */
export function matchState(graph: Graph, state: RunState): MatchedState {
  const former = moveInSteps(askedMoves(graph, state), [
    (now) => returningObjects(graph, now),
    (now) => formerObjects(graph, now),
  ]);
  const objects = moveInSteps(
    untilNoneMoves(former, (now) => displacedObjects(graph, now)),
    [(now) => renamedObjects(graph, now), (now) => renamedAndEdited(graph, now)],
  );
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
  ]);
  const settled = moveInSteps(posts, [(now) => followingSets(graph, now, posts.moves)]);
  const displaced = untilNoneMoves(settled, (now) => displacedItems(graph, now, SAME_CONTENT));
  const byName = sameByName(graph, displaced.state, [...graph.objects.keys()]);
  return matchItems(
    graph,
    untilNoneMoves(displaced, (now) => displacedItems(graph, now, byName)),
  );
}

/**
 * Products and concepts with a new name: the state has one that the manifest no longer names, the manifest a new one
 * with exactly the same fingerprint. An unknown create moves as well, because it would otherwise be paid for a second
 * time under its new name.
 */
function renamedObjects(graph: Graph, state: RunState): Move[] {
  const gone = goneObjects(graph, state);
  return gone.length ? pairEqual(gone, freshObjects(graph, state)) : [];
}

/**
 * Products with a new name and another text in the same edit: no other product has these photos. Their posts go along and
 * are asked about; as posts of a new product they would be paid for without a question.
 */
function renamedAndEdited(graph: Graph, state: RunState): Move[] {
  const gone = goneObjects(graph, state);
  return gone.length ? pairOneToOne(byPhotos(gone), byPhotos(freshObjects(graph, state))) : [];
}

/**
 * Products and concepts whose key something else has now, while exactly one new key has exactly their content: the key
 * was given on, as by who puts the photos of another product into a folder after renaming it.
 */
function displacedObjects(graph: Graph, state: RunState): Move[] {
  const fresh = freshObjects(graph, state);
  if (!fresh.length) return [];
  const displaced = [...state.objects.values()].filter(({ address, fingerprint }) => {
    const now = hasKey(address) && fingerprint ? graph.objects.get(address) : undefined;
    return now !== undefined && now.fingerprint !== fingerprint;
  });
  return pairOneToOne(displaced, fresh);
}

function byPhotos(objects: readonly Pick<GraphObject, 'address' | 'inputs'>[]): Marked[] {
  return objects.flatMap(({ address, inputs: { images } }) =>
    isJsonArray(images) && images.length ? { address, fingerprint: canonicalJson(images) } : [],
  );
}

function goneObjects(graph: Graph, state: RunState): ObjectState[] {
  return [...state.objects.values()].filter(
    ({ address, fingerprint }) => hasKey(address) && fingerprint && !graph.objects.has(address),
  );
}

function freshObjects(graph: Graph, state: RunState): GraphObject[] {
  return [...graph.objects.values()].filter(
    ({ address, external }) => hasKey(address) && !external && !state.objects.has(address),
  );
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
