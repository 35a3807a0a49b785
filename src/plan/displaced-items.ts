/**
 * Items whose key another item has now, while a new key has exactly their content: the key was given on, as by who makes
 * `hero` the key of a new item after calling the old one `hero-2025`. Bought anew under its new key, a finished post would
 * be paid for twice without a question.
 */
import { mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { SAME_CONTENT } from './marks.ts';
import { pairInPeriods } from './period-moves.ts';
import { findMoving } from './periods.ts';

const { ofItem, ofMedium } = SAME_CONTENT;

/** They go to addresses that nothing has; who repeats it moves a chain from its end. */
export function displacedItems(graph: Graph, state: RunState): Move[] {
  if (!state.media.size) return [];
  const keyed = graph.posts.flatMap(({ path, period, items }) =>
    items.flatMap((item) =>
      item.key
        ? { address: mediaAddress(path, item.key), fingerprint: ofItem(item), period: period?.name }
        : [],
    ),
  );
  const displaced = keyed.flatMap(({ address, fingerprint }) => {
    const media = state.media.get(address);
    const isOther = media !== undefined && ofMedium(media) !== fingerprint;
    return isOther ? { address, fingerprint: ofMedium(media), media } : [];
  });
  if (!displaced.length) return [];
  const mayBecome = findMoving(graph, state);
  const named = new Set(keyed.map(({ address }) => address));
  // What the manifest no longer names, or names by its content only, goes before: it would be left alone otherwise.
  const others = [...state.media.values()].filter(({ address, surplus }) => !surplus && !named.has(address));
  const fresh = keyed.filter(
    ({ address, fingerprint, period }) =>
      !state.media.has(address) &&
      !others.some((media) => ofMedium(media) === fingerprint && mayBecome(media, period)),
  );
  const periodAt = new Map(fresh.map(({ address, period }) => [address, period]));
  return pairInPeriods(displaced, fresh, mayBecome).map(({ from, to }) => {
    const period = periodAt.get(to);
    return { from, to, ...(period !== undefined && { period }) };
  });
}
