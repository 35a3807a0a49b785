/** The renames of posts that follow from what each item was: of these, of what goes with them, and of what makes room. */
import { type Address, mediaAddress, takeAddress } from '../model/address.ts';
import { withoutPeriod, withPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { requestNumbers } from './item-numbers.ts';
import type { Claim, Origin } from './match-posts.ts';
import { createAside } from './moves.ts';

/** A post of the manifest, with the names of its items in their order. */
export interface Named {
  readonly claim: Claim;
  readonly names: readonly string[];
}

export function postMoves(state: RunState, named: readonly Named[]): Move[] {
  const items = named.flatMap(itemsOf);
  const own = items.flatMap(({ origin: { medium }, to, period }) =>
    medium && medium.address !== to ? [moveTo(medium, to, period)] : [],
  );
  const claimed = new Set(items.map(({ origin: { medium } }) => medium));
  const free = [...state.media.values()].filter((media) => !claimed.has(media));
  const nextRequest = requestNumbers(state);
  const takes = items.flatMap((item) => takeMove(item, state, nextRequest));
  return [...own, ...otherMoves(free, { state, named, own }), ...takes];
}

interface NamedItem {
  readonly path: string;
  readonly origin: Origin;
  readonly to: Address;
  readonly period: string | undefined;
}

/** Those that were something before. */
function itemsOf({ claim: { post, origins }, names }: Named): NamedItem[] {
  if (!origins.size) return [];
  return post.items.flatMap((item, index) => {
    const origin = origins.get(item);
    const to = mediaAddress(post.path, names[index] ?? '');
    return origin ? [{ path: post.path, origin, to, period: post.period?.name }] : [];
  });
}

function moveTo({ address }: MediaState, to: Address, period: string | undefined): Move {
  return { from: address, to, ...(period !== undefined && { period }) };
}

/** An older take becomes the current one, so it gets a number above all others. */
function takeMove(
  { path, origin: { medium, older }, to, period }: NamedItem,
  { media }: RunState,
  nextRequest: (post: string) => number,
): Move[] {
  if (!older) return [];
  const takes = (medium ?? media.get(to))?.takes ?? [];
  const n = Math.max(nextRequest(path), ...takes.map((take) => take.n + 1));
  return [{ from: older.address, to: takeAddress(to, n), ...(period !== undefined && { period }) }];
}

interface Going {
  readonly state: RunState;
  readonly named: readonly Named[];
  readonly own: readonly Move[];
}

/** What no item is goes with its instance, or leaves an address that something else gets. */
function otherMoves(free: readonly MediaState[], { state, named, own }: Going): Move[] {
  const foreign = new Set(
    named.flatMap(({ claim: { post, former } }) => (former === post.path ? [] : [post.path])),
  );
  if (!own.length && !foreign.size) return [];
  const bases = renamedBases(named, own);
  const reached = new Set(own.map(({ to }) => to));
  const wanted = new Set(
    named.flatMap(({ claim: { post }, names }) => names.map((name) => mediaAddress(post.path, name))),
  );
  const aside = createAside((address) => state.media.has(address) || wanted.has(address));
  const placeOf = ({ post, item, period }: MediaState) => {
    const base = bases.get(withoutPeriod(post, period));
    return base && mediaAddress(withPeriod(base, period), item);
  };
  const leaving = new Set([
    ...own.map(({ from }) => from),
    ...free.filter((media) => placeOf(media)).map(({ address }) => address),
  ]);
  const isTaken = (address: Address) =>
    reached.has(address) || wanted.has(address) || (state.media.has(address) && !leaving.has(address));
  return free.flatMap((media) => {
    const { address, post, item, period } = media;
    const goes = placeOf(media);
    if (goes !== undefined) {
      const to = isTaken(goes) ? aside(goes) : goes;
      reached.add(to);
      return [moveTo(media, to, period)];
    }
    const isInTheWay = reached.has(address) || (foreign.has(post) && !item.includes('+'));
    return isInTheWay ? [moveTo(media, aside(address), period)] : [];
  });
}

/** Instances without their period that go elsewhere as a whole, with all periods that they had. */
function renamedBases(named: readonly Named[], own: readonly Move[]): ReadonlyMap<string, string> {
  const bases = new Map<string, string>();
  const present = new Set(named.map(({ claim: { post } }) => withoutPeriod(post.path, post.period?.name)));
  const targets = new Map<string, Set<string>>();
  const goes = new Map(own.map((move) => [move.from, move]));
  for (const { claim } of named) {
    const { post, former, origins } = claim;
    const base = withoutPeriod(post.path, post.period?.name);
    if (former !== undefined && former !== post.path)
      bases.set(withoutPeriod(former, post.period?.name), base);
    if (!post.period || !goes.size) continue;
    for (const { medium } of origins.values()) {
      const from = medium && withoutPeriod(medium.post, medium.period);
      if (from === undefined || from === base || medium?.period === undefined) continue;
      targets.set(from, (targets.get(from) ?? new Set()).add(base));
    }
  }
  // The settled sets of a post plan with another name go with it, where all of its present set went to one other.
  for (const [from, [to, ...others]] of targets)
    if (to !== undefined && !others.length && !present.has(from) && !bases.has(from)) bases.set(from, to);
  return bases;
}
