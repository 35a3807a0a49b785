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
import { isNumber, numberAfter, requestedNames, usedNumbers } from './item-numbers.ts';
import { likeliest } from './likeliest.ts';
import { isRecent, type PlacedMarks, SAME_CONTENT, sameByName } from './marks.ts';
import { addMoves, type Moved } from './move-steps.ts';
import { pairInPeriods } from './period-moves.ts';
import { findMoving, type IsOpen, isOpenIn } from './periods.ts';

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
  const drafts = graph.posts.map((post) =>
    draftPost(post, byPost.get(post.path) ?? [], used.get(post.path) ?? 1),
  );
  const elsewhere = { drafts, graph, state, taken: new Set<Address>() };
  const byName = sameByName(graph, state, [...graph.objects.keys()]);
  const same = matchElsewhere(elsewhere, [SAME_CONTENT]);
  // If an item of which only something upstream changed were matched by place, another item that was inserted before it
  // would take its number, and it would be paid for again without a question.
  for (const draft of drafts) claimAlike(draft, byName);
  const alike = matchElsewhere(elsewhere, [byName]);
  for (const marks of likeliest(graph, state, SAME_WORDS))
    for (const draft of drafts) claimAlike(draft, marks, recent);
  const requested = requestedNames(state);
  for (const draft of drafts) claimPlaces(draft, state, requested);
  const likely = matchElsewhere(
    { ...elsewhere, isOpen: isOpenIn(graph), mayMatch: isRecent },
    likeliest(graph, state),
  );
  // What gets a number goes first: it may leave a key that another item gets.
  const moved = addMoves(renamed, [...drafts.flatMap(({ moves }) => moves), ...same, ...alike, ...likely]);
  return { ...moved, posts: drafts.map((draft) => finishPost(draft, moved.state)) };
}

/** What is left to an item of which something else changed, too: its place says less. */
const SAME_WORDS = [
  ['products', 'format', 'words'],
  ['products', 'words'],
] as const;

interface Draft {
  readonly post: GraphPost;
  /** Of the items that have one by now. */
  readonly names: Map<GraphItem, string>;
  /** Media of this post that no item has taken. */
  readonly rest: Map<string, MediaState>;
  /** Media that lost their key and have a number now. */
  readonly moves: Move[];
  /** Whether an apply had left all of it alone. */
  readonly isBack: boolean;
  /** Above the numbers of all that was requested here. */
  readonly firstFree: number;
  nextItem: number;
}

function draftPost(post: GraphPost, media: readonly MediaState[], used: number): Draft {
  const rest = new Map(media.filter(({ surplus }) => !surplus).map((medium) => [medium.item, medium]));
  const surplus = media.filter((medium) => medium.surplus);
  const isBack = ![...rest.values()].some(isRecent);
  const firstFree = Math.max(used, numberAfter(surplus.map(({ item }) => item)));
  const nextItem = Math.max(firstFree, numberAfter(rest.keys()));
  const draft: Draft = { post, names: new Map(), rest, moves: [], isBack, firstFree, nextItem };
  // A post whose key another item has now stays with the item that says the same, though that has no key any more.
  claimKeys(draft, new Set(post.items.filter(({ key }) => !key).map(SAME_CONTENT.ofItem)));
  claimAlike(draft, SAME_CONTENT);
  claimKeys(draft, new Set());
  return draft;
}

/** Gives items with a key what has it, but for other items' content. */
function claimKeys({ post, names, rest }: Draft, others: ReadonlySet<string>): void {
  for (const item of post.items) {
    const medium = item.key ? rest.get(item.key) : undefined;
    if (!item.key || !medium) continue;
    const content = SAME_CONTENT.ofMedium(medium);
    if (content !== SAME_CONTENT.ofItem(item) && others.has(content)) continue;
    rest.delete(item.key);
    names.set(item, item.key);
  }
}

/** What no item has taken: first media with numbers, in order, then those whose key the manifest does not have. */
function unclaimed({ rest }: Draft): MediaState[] {
  const media = [...rest.values()];
  const numbered = media.filter(({ item }) => isNumber(item));
  const named = media.filter(({ item }) => !isNumber(item));
  return [...numbered.sort((a, b) => Number(a.item) - Number(b.item)), ...named];
}

/** Without what an apply has left alone, unless that was the whole post, which has come back. */
function recent(draft: Draft): MediaState[] {
  return draft.isBack ? unclaimed(draft) : unclaimed(draft).filter(isRecent);
}

/** Gives a medium to an item without a key. A medium that had a key gets a number, so that later edits find it. */
function claim(draft: Draft, item: GraphItem, medium: MediaState): void {
  const { post, names, rest, moves } = draft;
  const name = isNumber(medium.item) ? medium.item : String(draft.nextItem++);
  if (name !== medium.item) moves.push(moveTo(medium.address, post, name));
  names.set(item, name);
  rest.delete(medium.item);
}

function moveTo(from: Address, { path, period }: GraphPost, name: string): Move {
  return { from, to: mediaAddress(path, name), ...(period && { period: period.name }) };
}

interface Elsewhere {
  readonly drafts: readonly Draft[];
  readonly graph: Graph;
  readonly state: RunState;
  /** Media of posts that are gone and that an item has taken by now; more are added here. */
  readonly taken: Set<Address>;
  readonly isOpen?: IsOpen;
  readonly mayMatch?: typeof isRecent;
}

/** Items with a new key, or in another post; what has none of the first marks in common may have some of the next. */
function matchElsewhere(
  { drafts, graph, state, taken, isOpen = () => true, mayMatch = () => true }: Elsewhere,
  tiers: Iterable<PlacedMarks>,
): Move[] {
  const byPath = new Map(drafts.map((draft) => [draft.post.path, draft]));
  let fresh = drafts.flatMap((draft) =>
    draft.post.items.filter((item) => !draft.names.has(item)).map((item) => ({ draft, item })),
  );
  if (!fresh.length) return [];
  const mayBecome = findMoving(graph, state);
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
    }));
    const had = gone.map((media) => ({ address: media.address, fingerprint: marks.ofMedium(media), media }));
    for (const { from, to } of pairInPeriods(had, wanted, mayBecome)) {
      const target = fresh[Number(to)];
      if (!target) continue;
      const { draft, item } = target;
      const name = item.key ?? String(draft.nextItem++);
      draft.names.set(item, name);
      taken.add(from);
      const origin = state.media.get(from);
      if (origin) byPath.get(origin.post)?.rest.delete(origin.item);
      moves.push(moveTo(from, draft.post, name));
    }
    fresh = fresh.filter(({ draft, item }) => !draft.names.has(item));
    gone = gone.filter(({ address }) => !taken.has(address));
  }
  return moves;
}

/**
 * The items that are left take what is left, by place. An item that was left out of its request has a place, too, or the
 * next one would be taken for it and, with an edit of its own, be paid for as a new one.
 */
function claimPlaces(draft: Draft, state: RunState, requested: (post: string) => ReadonlySet<string>): void {
  const { post, names, nextItem } = draft;
  const open = post.items.filter((item) => !item.key && !names.has(item));
  const media = recent(draft);
  const taken = new Set(names.values());
  const leftOut: string[] = [];
  for (let n = 1; n < nextItem && leftOut.length < open.length - media.length; n++) {
    const name = String(n);
    const isKnown = taken.has(name) || state.media.has(mediaAddress(post.path, name));
    const isNew = !isKnown && !requested(post.path).has(name);
    if (isNew) leftOut.push(name);
  }
  for (const item of open) {
    const [medium] = media;
    const [name] = leftOut;
    const isBefore =
      name !== undefined && (!medium || !isNumber(medium.item) || Number(name) < Number(medium.item));
    if (isBefore) names.set(item, leftOut.shift() ?? name);
    else if (medium) claim(draft, item, media.shift() ?? medium);
  }
}

function claimAlike(draft: Draft, { ofItem, ofMedium }: PlacedMarks, among = unclaimed): void {
  const open = draft.post.items.filter((item) => !item.key && !draft.names.has(item));
  if (!open.length || !draft.rest.size) return;
  const alike = groupBy(among(draft), ofMedium);
  for (const item of open) {
    const medium = alike.get(ofItem(item, draft.post.path))?.shift();
    if (medium) claim(draft, item, medium);
  }
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
