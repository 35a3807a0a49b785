/**
 * Decides which item of the state is which item of the manifest. A key names an item. An item without a key is known by
 * its content, else by what it asks for if only something upstream changed, else by its place among the rest. A new
 * item gets the next number, which is never used again.
 */
import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import {
  claimAlike,
  claimKeys,
  claimPlaces,
  type Draft,
  draftPost,
  isOpenItem,
  moveTo,
  recent,
} from './claim-items.ts';
import { postsGivenOn } from './given-on.ts';
import { numberAfter, requestedNames, usedNumbers } from './item-numbers.ts';
import { likeliest } from './likeliest.ts';
import { isRecent, type PlacedMarks, SAME_CONTENT, sameByName } from './marks.ts';
import { addMoves, type Moved } from './move-steps.ts';
import { pairInPeriods } from './period-moves.ts';
import { findDue, findMoving, type IsOpen, isOpenIn, type MayBecome } from './periods.ts';
import { plansBecame } from './plans-became.ts';

/** An item of the manifest, and what the state knows of it. */
export interface MatchedItem {
  /** Without take; `name` is its last part. */
  readonly address: Address;
  readonly name: string;
  readonly item: GraphItem;
  readonly known?: MediaState;
}

export interface MatchedPost {
  readonly post: GraphPost;
  readonly items: readonly MatchedItem[];
  /** The number for the next unknown item. */
  readonly nextItem: number;
}

export interface MatchedState extends Moved {
  readonly posts: readonly MatchedPost[];
}

/** In `renamed`, objects and posts have their new names already. */
export function matchItems(graph: Graph, renamed: Moved): MatchedState {
  const { state } = renamed;
  const paths = new Set(graph.posts.map(({ path }) => path));
  const asked = [...state.media.values()].filter(({ post }) => paths.has(post));
  const byPost = groupBy(asked, ({ post }) => post);
  const used = usedNumbers(state);
  const byName = sameByName(graph, state);
  const mayBecome = findMoving(graph, state);
  const givenOn = postsGivenOn(graph, state, mayBecome);
  const drafts = graph.posts.map((post) =>
    draftPost(post, {
      media: byPost.get(post.path) ?? [],
      used: used.get(post.path) ?? 1,
      byName,
      givenOn,
    }),
  );
  const elsewhere = { drafts, state, taken: new Set<Address>(), mayBecome };
  const same = matchElsewhere(elsewhere, [SAME_CONTENT]);
  for (const draft of drafts) claimKeys(draft, []);
  // If an item of which only something upstream changed were matched by place, another item that was inserted before it
  // would take its number, and it would be paid for again without a question.
  for (const draft of drafts) claimAlike(draft, byName);
  const alike = matchElsewhere(elsewhere, [byName]);
  for (const marks of likeliest(graph, state, { tiers: SAME_WORDS }))
    for (const draft of drafts) claimAlike(draft, marks, { among: recent });
  for (const marks of likeliest(graph, state, { tiers: SAME_PRODUCTS }))
    for (const draft of drafts) claimAlike(draft, marks, { among: recent, isComplete: true });
  const requested = requestedNames(state);
  for (const draft of drafts) claimPlaces(draft, state, requested);
  const pathOf = plansBecame(state, { drafts, moves: [...same, ...alike] });
  const edited = { ...elsewhere, isOpen: isOpenIn(graph), mayMatch: isRecent, isDue: findDue(graph, state) };
  const likely = matchElsewhere(edited, likeliest(graph, state, { pathOf }));
  // An item whose post is exactly another one's now gets what is left in the end, and is asked about.
  const isWanted = ({ path }: GraphPost, { key }: GraphItem) =>
    key !== undefined && givenOn.has(mediaAddress(path, key));
  const last = givenOn.size > 0 ? matchElsewhere({ ...edited, isWanted }, [ANYTHING]) : [];
  // What gets a number goes first: it may leave a key that another item gets.
  const moved = addMoves(renamed, [
    ...drafts.flatMap(({ moves }) => moves),
    ...same,
    ...alike,
    ...likely,
    ...last,
  ]);
  return {
    ...moved,
    posts: drafts.map((draft) => finishPost(draft, moved.state)),
  };
}

/** What is left to an item of which something else changed, too: its place says less. */
const SAME_WORDS = [
  ['products', 'format', 'words'],
  ['products', 'words'],
] as const;

/** What is left to one whose text changed, where each item that shows this has a post that showed it. */
const SAME_PRODUCTS = [['products', 'format'], ['products']] as const;

const ANYTHING: PlacedMarks = { ofItem: () => '', ofMedium: () => '' };

interface Elsewhere {
  readonly drafts: readonly Draft[];
  readonly state: RunState;
  /** Media of posts that are gone and that an item has taken by now; more are added here. */
  readonly taken: Set<Address>;
  readonly mayBecome: MayBecome;
  /** What is due takes over what is of its period only. */
  readonly isDue?: (post: GraphPost) => boolean;
  readonly isOpen?: IsOpen;
  readonly mayMatch?: typeof isRecent;
  readonly isWanted?: (post: GraphPost, item: GraphItem) => boolean;
}

/** Items with a new key, or in another post; what has none of the first marks in common may have some of the next. */
function matchElsewhere(
  {
    drafts,
    state,
    taken,
    mayBecome,
    isDue = () => false,
    isOpen = () => true,
    mayMatch = () => true,
    isWanted = () => true,
  }: Elsewhere,
  tiers: Iterable<PlacedMarks>,
): Move[] {
  const byPath = new Map(drafts.map((draft) => [draft.post.path, draft]));
  let fresh = openItems(drafts, isWanted);
  if (!fresh.length) return [];
  const periods = [...new Set(fresh.map(({ draft }) => draft.post.period?.name))];
  const isGone = (media: MediaState) =>
    !media.surplus &&
    !byPath.has(media.post) &&
    !taken.has(media.address) &&
    isOpen(media) &&
    periods.some((period) => mayBecome(media, period));
  let gone = [
    ...drafts.flatMap(({ rest }) => [...rest.values()]),
    ...[...state.media.values()].filter(isGone),
  ].filter(mayMatch);
  const moves: Move[] = [];
  // What is alike costs a search in the inputs of each item, which a new campaign need not pay.
  for (const marks of tiers) {
    if (!gone.length || !fresh.length) break;
    const wanted = fresh.map(({ draft: { post }, item }, index) => ({
      address: String(index),
      fingerprint: marks.ofItem(item, post.path),
      period: post.period?.name,
      isDue: isDue(post),
    }));
    const had = gone.map((media) => ({
      address: media.address,
      fingerprint: marks.ofMedium(media),
      media,
    }));
    for (const { from, to } of pairInPeriods(had, wanted, mayBecome)) {
      const target = fresh[Number(to)];
      if (!target) continue;
      const { draft, item } = target;
      const name = item.key ?? draft.names.get(item) ?? String(draft.nextItem++);
      draft.names.set(item, name);
      draft.leftOut.delete(item);
      taken.add(from);
      const origin = state.media.get(from);
      if (origin) byPath.get(origin.post)?.rest.delete(origin.item);
      moves.push(moveTo(from, draft.post, name));
    }
    fresh = fresh.filter(({ draft, item }) => isOpenItem(draft, item));
    gone = gone.filter(({ address }) => !taken.has(address));
  }
  return moves;
}

function openItems(drafts: readonly Draft[], isWanted: (post: GraphPost, item: GraphItem) => boolean) {
  return drafts.flatMap((draft) =>
    draft.post.items
      .filter((item) => isOpenItem(draft, item) && isWanted(draft.post, item))
      .map((item) => ({ draft, item })),
  );
}

function finishPost(draft: Draft, state: RunState): MatchedPost {
  // A number that was only passed through on the way to a key is free.
  let nextItem = Math.max(draft.firstFree, numberAfter(draft.rest.keys()), numberAfter(draft.names.values()));
  const items = draft.post.items.map((item): MatchedItem => {
    const name = draft.names.get(item) ?? item.key ?? String(nextItem++);
    const address = mediaAddress(draft.post.path, name);
    const known = state.media.get(address);
    return known ? { address, name, item, known } : { address, name, item };
  });
  return { post: draft.post, items, nextItem };
}
