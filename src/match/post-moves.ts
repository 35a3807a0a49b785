/** The renames of posts that follow from what each item was: of these, of what goes with them, and of what makes room. */
import { type Address, mediaAddress, takeAddress } from '../model/address.ts';
import { hasDay, type Period, withoutPeriod, withPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import type { InstancePaths } from './instance-paths.ts';
import { requestNumbers } from './item-numbers.ts';
import type { Claim, Origin } from './match-posts.ts';
import { createAside } from './moves.ts';

/** A post of the manifest, with the names of its items in their order. */
export interface Named {
  readonly claim: Claim;
  readonly names: readonly string[];
}

export function postMoves(state: RunState, named: readonly Named[], paths: InstancePaths): Move[] {
  const items = named.flatMap(itemsOf);
  const claimed = new Set(items.map(({ medium }) => medium));
  const own = items.flatMap(({ medium, to, period }) =>
    medium && medium.address !== to ? [moveTo(medium.address, to, period)] : [],
  );
  const nextRequest = requestNumbers(state);
  // An older take becomes the current one, so it gets a number above all others.
  const takes = items.flatMap(({ older, medium, to, path, period }) => {
    const before = (medium ?? state.media.get(to))?.takes ?? [];
    const n = Math.max(nextRequest(path), ...before.map((take) => take.n + 1));
    return older ? [moveTo(older.address, takeAddress(to, n), period)] : [];
  });
  const wanted = new Set(named.flatMap(addressesOf));
  const free = [...state.media.values()].filter((media) => !claimed.has(media));
  return [...own, ...otherMoves(free, { state, own, wanted, placeOf: placesOf(named, paths) }), ...takes];
}

type NamedItem = Origin & {
  readonly path: string;
  readonly to: Address;
  readonly period: string | undefined;
};

/** Those that were something before. */
function itemsOf({ claim: { post, origins }, names }: Named): NamedItem[] {
  const { path, period } = post;
  return post.items.flatMap((item, index) => {
    const origin = origins.get(item);
    const to = mediaAddress(path, names[index] ?? '');
    return origin ? [{ ...origin, path, to, period: period?.name }] : [];
  });
}

function addressesOf({ claim: { post }, names }: Named): Address[] {
  return names.map((name) => mediaAddress(post.path, name));
}

function moveTo(from: Address, to: Address, period: string | undefined): Move {
  return { from, to, ...(period !== undefined && { period }) };
}

interface Going {
  readonly state: RunState;
  readonly own: readonly Move[];
  /** Addresses of items. */
  readonly wanted: ReadonlySet<Address>;
  readonly placeOf: (media: MediaState) => Address;
}

/** What no item is goes along, or leaves an address that something else gets. */
function otherMoves(free: readonly MediaState[], { state, own, wanted, placeOf }: Going): Move[] {
  const going = free.map((media) => ({ media, to: placeOf(media) }));
  const moving = going.filter(({ media, to }) => to !== media.address);
  const leaving = new Set([...own.map(({ from }) => from), ...moving.map(({ media }) => media.address)]);
  const reached = new Set(own.map(({ to }) => to));
  const aside = createAside((address) => state.media.has(address) || wanted.has(address));
  const isTaken = (address: Address) =>
    reached.has(address) || wanted.has(address) || (state.media.has(address) && !leaving.has(address));
  const along = moving.map(({ media, to }) => {
    const place = isTaken(to) ? aside(to) : to;
    reached.add(place);
    return moveTo(media.address, place, media.period);
  });
  const inTheWay = going.filter(({ media, to }) => to === media.address && reached.has(to));
  return [...along, ...inTheWay.map(({ media, to }) => moveTo(media.address, aside(to), media.period))];
}

/** Where a post goes that no item is: with its product or concept, or in a settled period with its post plan. */
function placesOf(named: readonly Named[], { after }: InstancePaths): Going['placeOf'] {
  const renamed = renamedPlans(named);
  return (media) => {
    const { post, item, period } = media;
    const to = renamed.get(withoutPeriod(post, period));
    const isSettled = to !== undefined && period !== undefined && !hasDay(period, to.period.day);
    const path = isSettled ? to.base : after(media);
    return mediaAddress(withPeriod(path, period), item);
  };
}

interface Renamed {
  readonly base: string;
  /** The present one. */
  readonly period: Period;
}

/** Instances without their period that all of a present set left for one other. */
function renamedPlans(named: readonly Named[]): ReadonlyMap<string, Renamed> {
  const targets = new Map<string, Map<string, Renamed>>();
  const present = new Set<string>();
  for (const { claim } of named) {
    const { path, period } = claim.post;
    const base = withoutPeriod(path, period?.name);
    present.add(base);
    for (const { medium } of period ? claim.origins.values() : []) {
      if (medium?.period !== period?.name || !medium || !period) continue;
      const from = withoutPeriod(medium.post, medium.period);
      targets.set(from, (targets.get(from) ?? new Map()).set(base, { base, period }));
    }
  }
  return new Map(
    [...targets].flatMap(([from, to]) => {
      const [one, ...others] = to.values();
      return one && !others.length && !present.has(from) ? [[from, one] as const] : [];
    }),
  );
}
