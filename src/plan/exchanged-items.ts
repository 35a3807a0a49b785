/**
 * Items with keys whose exact posts exist, each under another address: two rows of a table exchanged their keys, or all
 * rows have moved up by one. Each gets the post that says what it asks for, which takes its verdict and its files along, and
 * a post that gives way goes to the address that was left in the end. So nothing is paid for that exists.
 */
import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { displacesSome, isMade } from './given-on.ts';
import { SAME_CONTENT } from './marks.ts';
import { findMoving } from './periods.ts';

interface Place {
  readonly address: Address;
  readonly period: string | undefined;
  readonly wants: string;
  /** Absent where nothing is at the address. */
  readonly has?: string | undefined;
}

export function exchangedItems(graph: Graph, state: RunState): Move[] {
  if (!displacesSome(graph, state)) return [];
  const keyed = keyedPlaces(graph, state);
  const displaced = keyed.filter(({ has, wants }) => has !== undefined && has !== wants);
  const origins = new Map<Address, Address>();
  const used = new Set<Address>();
  const give = (places: readonly Place[], addressesOf: ReadonlyMap<string, Address[]>) => {
    for (const { address, wants } of places) {
      const from = origins.has(address) ? undefined : addressesOf.get(wants)?.find((each) => !used.has(each));
      if (from === undefined) continue;
      origins.set(address, from);
      used.add(from);
    }
  };
  const byContent = groupBy(displaced, ({ has = '' }) => has);
  give(
    displaced,
    new Map([...byContent].map(([content, all]) => [content, all.map(({ address }) => address)])),
  );
  if (origins.size < displaced.length) give(displaced, spareMedia(graph, state, keyed));
  const periodAt = new Map(displaced.map(({ address, period }) => [address, period]));
  const move = (from: Address, to: Address): Move => {
    const period = periodAt.has(to) ? periodAt.get(to) : state.media.get(to)?.period;
    return { from, to, ...(period !== undefined && { period }) };
  };
  const givingWay = [...origins.keys()].filter((address) => !used.has(address));
  return [
    ...[...origins].map(([to, from]) => move(from, to)),
    ...givingWay.map((address) => move(address, endOf(address, origins))),
  ];
}

function keyedPlaces(graph: Graph, state: RunState): Place[] {
  return graph.posts.flatMap(({ path, period, items }) =>
    items.flatMap((item): Place[] => {
      if (!item.key) return [];
      const address = mediaAddress(path, item.key);
      const media = state.media.get(address);
      const has = media && contentIn(period?.name, SAME_CONTENT.ofMedium(media));
      return [{ address, period: period?.name, has, wants: contentIn(period?.name, item.fingerprint) }];
    }),
  );
}

/** Posts without a key, and posts that the manifest no longer names, but for as many as others ask for. */
function spareMedia(graph: Graph, state: RunState, keyed: readonly Place[]): ReadonlyMap<string, Address[]> {
  const named = new Set(keyed.map(({ address }) => address));
  const mayBecome = findMoving(graph, state);
  const periods = [...new Set(keyed.map(({ period }) => period))];
  const isSpare = (media: MediaState) => !media.surplus && !named.has(media.address) && isMade(media);
  const spare = new Map<string, Address[]>();
  for (const media of state.media.values()) {
    if (!isSpare(media)) continue;
    for (const period of periods.filter((each) => mayBecome(media, each))) {
      const content = contentIn(period, SAME_CONTENT.ofMedium(media));
      spare.set(content, [...(spare.get(content) ?? []), media.address]);
    }
  }
  const keyless = graph.posts.flatMap(({ period, items }) =>
    items.flatMap(({ key, fingerprint }) => (key ? [] : contentIn(period?.name, fingerprint))),
  );
  const absent = keyed.flatMap(({ has, wants }) => (has === undefined ? wants : []));
  for (const wants of [...keyless, ...absent]) spare.get(wants)?.shift();
  return spare;
}

function contentIn(period: string | undefined, fingerprint: string): string {
  return `${period} ${fingerprint}`;
}

function endOf(address: Address, origins: ReadonlyMap<Address, Address>): Address {
  let end = address;
  for (let from = origins.get(end); from !== undefined; from = origins.get(end)) end = from;
  return end;
}
