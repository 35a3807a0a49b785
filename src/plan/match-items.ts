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
import { type Marks, SAME_CONTENT, sameByName } from './marks.ts';
import { addMoves, type Moved } from './move-steps.ts';
import { pairInPeriods } from './period-moves.ts';
import { findMoving } from './periods.ts';

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
  const byName = sameByName(graph, state, [...graph.objects.keys()]);
  const taken = new Set<Address>();
  const same = matchElsewhere(drafts, { graph, state, taken, marks: SAME_CONTENT });
  // If an item of which only something upstream changed were matched by place, another item that was inserted before it
  // would take its number, and it would be paid for again without a question.
  for (const draft of drafts) claimAlike(draft, byName);
  const alike = matchElsewhere(drafts, { graph, state, taken, marks: byName });
  const requested = requestedNames(state);
  for (const draft of drafts) claimPlaces(draft, state, requested);
  const moved = addMoves(renamed, [...same, ...alike, ...drafts.flatMap(({ moves }) => moves)]);
  return { ...moved, posts: drafts.map((draft) => finishPost(draft, moved.state)) };
}

/** For each post the first item number above those of all requests that may have made something. */
function usedNumbers(state: RunState): Map<string, number> {
  const used = new Map<string, number>();
  for (const { status, payload, deleted } of state.requests.values()) {
    if (status !== 'done' && status !== 'unknown' && !deleted) continue;
    used.set(payload.post, Math.max(used.get(payload.post) ?? 1, payload.nextItem));
  }
  return used;
}

interface Draft {
  readonly post: GraphPost;
  /** Of the items that have one by now. */
  readonly names: Map<GraphItem, string>;
  /** Media of this post that no item has taken. */
  readonly rest: Map<string, MediaState>;
  /** Media that lost their key and have a number now. */
  readonly moves: Move[];
  /** Above the numbers of all that was requested here. */
  readonly firstFree: number;
  nextItem: number;
}

function draftPost(post: GraphPost, media: readonly MediaState[], used: number): Draft {
  const rest = new Map(media.filter(({ surplus }) => !surplus).map((medium) => [medium.item, medium]));
  const surplus = media.filter((medium) => medium.surplus);
  const firstFree = Math.max(used, numberAfter(surplus.map(({ item }) => item)));
  const nextItem = Math.max(firstFree, numberAfter(rest.keys()));
  const draft: Draft = { post, names: new Map(), rest, moves: [], firstFree, nextItem };
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
  readonly graph: Graph;
  readonly state: RunState;
  readonly marks: Marks;
  /** Media of posts that are gone and that an item has taken by now; more are added here. */
  readonly taken: Set<Address>;
}

/** Items with a new key, or in another post, with nothing else changed. */
function matchElsewhere(drafts: readonly Draft[], { graph, state, marks, taken }: Elsewhere): Move[] {
  const byPath = new Map(drafts.map((draft) => [draft.post.path, draft]));
  const fresh = drafts.flatMap((draft) =>
    draft.post.items.filter((item) => !draft.names.has(item)).map((item) => ({ draft, item })),
  );
  if (!fresh.length) return [];
  const mayBecome = findMoving(graph, state);
  const periods = [...new Set(fresh.map(({ draft }) => draft.post.period?.name))];
  const isGone = (media: MediaState) =>
    !media.surplus &&
    !byPath.has(media.post) &&
    !taken.has(media.address) &&
    periods.some((period) => mayBecome(media, period));
  const gone = [
    ...drafts.flatMap(({ rest }) => [...rest.values()]),
    ...[...state.media.values()].filter(isGone),
  ];
  // What is alike costs a search in the inputs of each item, which a new campaign need not pay.
  if (!gone.length) return [];
  const wanted = fresh.map(({ draft, item }, index) => ({
    address: String(index),
    fingerprint: marks.ofItem(item),
    period: draft.post.period?.name,
  }));
  const had = gone.map((media) => ({ address: media.address, fingerprint: marks.ofMedium(media), media }));
  return pairInPeriods(had, wanted, mayBecome).flatMap(({ from, to }) => {
    const target = fresh[Number(to)];
    if (!target) return [];
    const { draft, item } = target;
    const name = item.key ?? String(draft.nextItem++);
    draft.names.set(item, name);
    taken.add(from);
    const origin = state.media.get(from);
    if (origin) byPath.get(origin.post)?.rest.delete(origin.item);
    return [moveTo(from, draft.post, name)];
  });
}

/** The names of items that were requested, by post; they are only looked up where a post has items left without one. */
function requestedNames({ requests }: RunState): (post: string) => ReadonlySet<string> {
  let byPost: Map<string, Set<string>> | undefined;
  return (post) => {
    if (!byPost) {
      byPost = new Map();
      for (const { payload } of requests.values()) {
        const names = byPost.get(payload.post) ?? new Set();
        byPost.set(payload.post, names);
        for (const { item } of payload.items) names.add(item);
      }
    }
    return byPost.get(post) ?? new Set();
  };
}

/**
 * The items that are left take what is left, by place. An item that was left out of its request has a place, too, or the
 * next one would be taken for it and, with an edit of its own, be paid for as a new one.
 */
function claimPlaces(draft: Draft, state: RunState, requested: (post: string) => ReadonlySet<string>): void {
  const { post, names, rest, nextItem } = draft;
  const open = post.items.filter((item) => !item.key && !names.has(item));
  const taken = new Set(names.values());
  const leftOut: string[] = [];
  for (let n = 1; n < nextItem && leftOut.length < open.length - rest.size; n++) {
    const name = String(n);
    const isKnown = taken.has(name) || state.media.has(mediaAddress(post.path, name));
    const isNew = !isKnown && !requested(post.path).has(name);
    if (isNew) leftOut.push(name);
  }
  const media = unclaimed(draft);
  for (const item of open) {
    const [medium] = media;
    const [name] = leftOut;
    const isBefore =
      name !== undefined && (!medium || !isNumber(medium.item) || Number(name) < Number(medium.item));
    if (isBefore) names.set(item, leftOut.shift() ?? name);
    else if (medium) claim(draft, item, media.shift() ?? medium);
  }
}

function claimAlike(draft: Draft, { ofItem, ofMedium }: Marks): void {
  const open = draft.post.items.filter((item) => !item.key && !draft.names.has(item));
  if (!open.length || !draft.rest.size) return;
  const alike = groupBy(unclaimed(draft), ofMedium);
  for (const item of open) {
    const medium = alike.get(ofItem(item))?.shift();
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

function numberAfter(items: Iterable<string>): number {
  let highest = 0;
  for (const item of items) if (isNumber(item)) highest = Math.max(highest, Number(item));
  return highest + 1;
}

function isNumber(item: string): boolean {
  return /^\d+$/.test(item);
}
