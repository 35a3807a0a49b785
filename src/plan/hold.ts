/**
 * A post that would be bought as new may be what another one was, which the manifest no longer names: it is held up, and
 * asked about like a replacement. Whoever agrees lets go of one such post for each that is bought.
 */
import { type Address, mediaAddress, splitMedia } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { withoutPeriod } from '../model/period.ts';
import { currentTake, type MediaState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';
import { HOLDING } from '../match/match-posts.ts';
import type { MatchedState } from '../match/match-state.ts';
import type { HoldersOf } from './decide-item.ts';
import type { DecidedPost } from './decide-post.ts';
import type { IsSettled } from '../match/periods.ts';
import { findShown, showsAll, showsAllOf } from '../match/shown-products.ts';

export interface Unnamed {
  /** Posts that no item is. */
  readonly unnamed: readonly MediaState[];
  readonly isSettled: IsSettled;
}

export function findHolders(
  graph: Graph,
  { state, onwards }: MatchedState,
  { unnamed, isSettled, verdicts }: Unnamed & { readonly verdicts: Verdicts },
): HoldersOf {
  const holders = unnamed
    .filter((media) => !media.letGo && !isSettled(media) && isHolding(media, verdicts))
    .sort(({ address: a }, { address: b }) => (a < b ? -1 : 1));
  if (!holders.length) return () => [];
  const { of, by } = findShown(graph, state);
  const showing = new Map<string, Holder[]>();
  for (const media of holders) {
    const products = by(media);
    const holder = {
      address: media.address,
      periods: [media.period, (onwards(media) ?? media).period],
      products,
    };
    for (const product of products.length ? products : [NO_PRODUCT])
      showing.set(product, [...(showing.get(product) ?? []), holder]);
  }
  return ({ item }, { period }) => {
    const now = of(item);
    const names = now.length ? now.flatMap((each) => [...each]) : [NO_PRODUCT];
    const alike = new Set(names.flatMap((name) => showing.get(name) ?? []));
    return [...alike]
      .filter((holder) => holder.periods.includes(period?.name))
      .filter(({ products }) => showsAll(now, products) || showsAllOf(products, now))
      .map(({ address }) => address)
      .sort();
  };
}

interface Holder {
  readonly address: Address;
  /** Its own, and the one in which it would go on. */
  readonly periods: readonly (string | undefined)[];
  readonly products: readonly string[];
}

const NO_PRODUCT = '';

/** It was paid for, or may have been, and nobody has rejected it. */
function isHolding(media: MediaState, verdicts: Verdicts): boolean {
  const { status = '', result } = currentTake(media) ?? {};
  return HOLDING.has(status) && !(result && verdictAbout(result.id, verdicts)?.verdict === 'rejected');
}

/** Which post is let go of for each that is held up: the first in the order of addresses that no other one has. */
export function lettingGo(
  heldUp: readonly { readonly address: Address; readonly heldBy: readonly Address[] }[],
): ReadonlyMap<Address, Address> {
  const inOrder = heldUp.toSorted(({ address: a }, { address: b }) => (a < b ? -1 : 1));
  const taken = new Set<Address>();
  return new Map(
    inOrder.flatMap(({ address, heldBy }) => {
      const one = heldBy.find((each) => !taken.has(each));
      if (one === undefined) return [];
      taken.add(one);
      return [[address, one] as const];
    }),
  );
}

/** What is held up, with the line for `moved:` that says that it is the post which would be let go of: each stands in one line. */
export function withStatedMoves(
  { matched, items }: DecidedPost,
  letGo: ReadonlyMap<Address, Address>,
): DecidedPost {
  const period = matched.post.period?.name;
  return {
    matched,
    items: items.map((item) => {
      const from = letGo.get(item.address);
      if (from === undefined || item.decision.type !== 'create') return item;
      const [old, now] = [from, item.address].map((each) => withoutItsPeriod(each, period));
      const stated = `if it is the same post, write moved: [{ from: ${old}, to: ${now} }]`;
      const reasons = [...item.decision.reasons, { summary: stated }];
      return { ...item, decision: { ...item.decision, reasons } };
    }),
  };
}

/** A move stands for all periods. */
function withoutItsPeriod(address: Address, period: string | undefined): Address {
  const { post, item } = splitMedia(address);
  const isIn = period !== undefined && (post.endsWith(`+${period}`) || post.endsWith(`/${period}`));
  return mediaAddress(isIn ? withoutPeriod(post, period) : post, item);
}
