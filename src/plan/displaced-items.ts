/**
 * Items whose key another item has now, while a new key has exactly their content: the key was given on, as by who makes
 * `hero` the key of a new item after calling the old one `hero-2025`. Bought anew under its new key, a finished post would
 * be paid for twice without a question.
 */
import { mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { type Marks, SAME_CONTENT } from './marks.ts';
import { pairInPeriods } from './period-moves.ts';
import { findMoving } from './periods.ts';

/** They go to addresses that nothing has; who repeats it moves a chain from its end. */
export function displacedItems(graph: Graph, state: RunState, { ofItem, ofMedium }: Marks): Move[] {
  if (!state.media.size) return [];
  const keyed = graph.posts.flatMap(({ path, period, items }) =>
    items.flatMap((item) =>
      item.key ? { address: mediaAddress(path, item.key), item, period: period?.name } : [],
    ),
  );
  const absent = keyed.filter(({ address }) => !state.media.has(address));
  if (!absent.length) return [];
  const displaced = keyed.flatMap(({ address, item }) => {
    const media = state.media.get(address);
    if (!media || SAME_CONTENT.ofMedium(media) === SAME_CONTENT.ofItem(item)) return [];
    const fingerprint = ofMedium(media);
    return fingerprint === ofItem(item) ? [] : { address, fingerprint, media };
  });
  if (!displaced.length) return [];
  const mayBecome = findMoving(graph, state);
  const named = new Set(keyed.map(({ address }) => address));
  // What the manifest no longer names, or names by its content only, goes before: it would be left alone otherwise.
  const others = [...state.media.values()]
    .filter(({ address, surplus }) => !surplus && !named.has(address))
    .map((media) => ({ media, fingerprint: ofMedium(media) }));
  const fresh = absent
    .map(({ address, item, period }) => ({ address, fingerprint: ofItem(item), period }))
    .filter(
      ({ fingerprint, period }) =>
        !others.some((other) => other.fingerprint === fingerprint && mayBecome(other.media, period)),
    );
  const periodAt = new Map(fresh.map(({ address, period }) => [address, period]));
  return pairInPeriods(displaced, fresh, mayBecome).map(({ from, to }) => {
    const period = periodAt.get(to);
    return { from, to, ...(period !== undefined && { period }) };
  });
}
