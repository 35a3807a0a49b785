/** How the items of one post get what the state has of it. An item that was new keeps what it got, whatever comes after. */
import { type Address, mediaAddress } from '../model/address.ts';
import type { GraphItem, GraphPost } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { isNumber, numberAfter } from './item-numbers.ts';
import { isRecent, type PlacedMarks, SAME_CONTENT } from './marks.ts';

export interface Draft {
  readonly post: GraphPost;
  /** Of the items that have one by now. */
  readonly names: Map<GraphItem, string>;
  /** Of those, the items that were left out of their request: they have a name and no post. */
  readonly leftOut: Set<GraphItem>;
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

interface Before {
  readonly media: readonly MediaState[];
  /** The first number that no request has used. */
  readonly used: number;
  readonly byName: PlacedMarks;
  /** Addresses of posts that are exactly what items elsewhere ask for, too: their keys do not claim them. */
  readonly givenOn: ReadonlySet<Address>;
}

export function draftPost(post: GraphPost, { media, used, byName, givenOn }: Before): Draft {
  const rest = new Map(media.filter(({ surplus }) => !surplus).map((medium) => [medium.item, medium]));
  const surplus = media.filter((medium) => medium.surplus);
  const isBack = ![...rest.values()].some(isRecent);
  const firstFree = Math.max(used, numberAfter(surplus.map(({ item }) => item)));
  const nextItem = Math.max(firstFree, numberAfter(rest.keys()));
  const draft: Draft = {
    post,
    names: new Map(),
    leftOut: new Set(),
    rest,
    moves: [],
    isBack,
    firstFree,
    nextItem,
  };
  // A post whose key another item has now stays with the item that says the same, though that has no key any more.
  claimKeys(draft, [SAME_CONTENT, byName], givenOn);
  claimAlike(draft, SAME_CONTENT);
  claimKeys(draft, [byName], givenOn);
  const keys = new Set(post.items.map(({ key }) => key));
  claimAlike(draft, byName, {
    among: (of) => unclaimed(of).filter(({ item, address }) => keys.has(item) && !givenOn.has(address)),
  });
  claimKeys(draft, [], givenOn);
  return draft;
}

/** Gives items with a key what has it, but for what says the same as an item without one. */
export function claimKeys(
  { post, names, rest }: Draft,
  tiers: readonly PlacedMarks[],
  givenOn: ReadonlySet<Address> = new Set(),
): void {
  const keyless = post.items.filter((item) => !item.key && !names.has(item));
  const others = new Map<PlacedMarks, Set<string>>();
  const isGivenOn = (medium: MediaState, now: GraphItem) =>
    keyless.length > 0 &&
    SAME_CONTENT.ofMedium(medium) !== SAME_CONTENT.ofItem(now) &&
    tiers.some((tier) => {
      const mark = tier.ofMedium(medium);
      const known = others.get(tier) ?? new Set(keyless.map((item) => tier.ofItem(item, post.path)));
      others.set(tier, known);
      return mark !== tier.ofItem(now, post.path) && known.has(mark);
    });
  for (const item of post.items) {
    const medium = item.key ? rest.get(item.key) : undefined;
    if (!item.key || !medium || givenOn.has(medium.address) || isGivenOn(medium, item)) continue;
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
export function recent(draft: Draft): MediaState[] {
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

export function moveTo(from: Address, { path, period }: GraphPost, name: string): Move {
  return {
    from,
    to: mediaAddress(path, name),
    ...(period && { period: period.name }),
  };
}

/**
 * The items that are left take what is left, by place. An item that was left out of its request has a place, too, or the
 * next one would be taken for it and, with an edit of its own, be paid for as a new one.
 */
export function claimPlaces(
  draft: Draft,
  state: RunState,
  requested: (post: string) => ReadonlySet<string>,
): void {
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
    if (isBefore) {
      names.set(item, leftOut.shift() ?? name);
      draft.leftOut.add(item);
    } else if (medium) claim(draft, item, media.shift() ?? medium);
  }
}

interface Alike {
  /** All that no item has taken, unless this says otherwise. */
  readonly among?: (draft: Draft) => readonly MediaState[];
  /** Only what is there as often as it is asked for: of some of several, the place says more. */
  readonly isComplete?: boolean;
}

export function claimAlike(
  draft: Draft,
  { ofItem, ofMedium }: PlacedMarks,
  { among = unclaimed, isComplete = false }: Alike = {},
): void {
  const open = draft.post.items.filter((item) => !item.key && !draft.names.has(item));
  if (!open.length || !draft.rest.size) return;
  const markOf = (item: GraphItem) => ofItem(item, draft.post.path);
  const alike = groupBy(among(draft), ofMedium);
  const asked = groupBy(open, markOf);
  const isMissing = (mark: string) => (asked.get(mark)?.length ?? 0) > (alike.get(mark)?.length ?? 0);
  const incomplete = new Set(isComplete ? [...asked.keys()].filter(isMissing) : []);
  for (const item of open) {
    const mark = markOf(item);
    const medium = incomplete.has(mark) ? undefined : alike.get(mark)?.shift();
    if (medium) claim(draft, item, medium);
  }
}

/** The post that has the key of an item may be given on. Until it is, the item has it. */
export function isOpenItem({ names, leftOut, rest }: Draft, item: GraphItem): boolean {
  const isAtKey = item.key !== undefined && rest.has(item.key);
  return (!names.has(item) && !isAtKey) || leftOut.has(item);
}
