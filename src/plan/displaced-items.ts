/**
 * Items whose key another item has now, while a new key has their content: the key was given on, as by who makes `hero` the
 * key of a new item after calling the old one `hero-2025`. Bought anew under its new key, a finished post would be paid for
 * twice without a question.
 */
import { mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { likeliest } from './likeliest.ts';
import { isRecent, SAME_CONTENT, sameByName } from './marks.ts';
import { pairInChains } from './move-steps.ts';
import { findMoving } from './periods.ts';

/** They go to addresses that nothing has, or that are left before. */
export function displacedItems(graph: Graph, state: RunState): Move[] {
  if (!state.media.size) return [];
  const keyed = graph.posts.flatMap(({ path, period, items }) =>
    items.flatMap((item) =>
      item.key ? { address: mediaAddress(path, item.key), path, item, period: period?.name } : [],
    ),
  );
  const isTaken = ({ address }: { address: string }) => state.media.has(address);
  if (keyed.every(isTaken) || !keyed.some(isDisplaced)) return [];
  const sure = [SAME_CONTENT, sameByName(graph, state)];
  const tiers = [...sure, ...likeliest(graph, state, { tiers: OF_ONE_LINE })];
  const named = new Set(keyed.map(({ address }) => address));
  // What the manifest no longer names, or names by its content only, goes before: it would be left alone otherwise.
  const others = [...state.media.values()].filter(({ address, surplus }) => !surplus && !named.has(address));
  const mayBecome = findMoving(graph, state);
  const periods = [...new Set(keyed.map(({ period }) => period))];
  const keyless = graph.posts.flatMap(({ path, period, items }) =>
    items.flatMap((item) => (item.key ? [] : { path, period: period?.name, item })),
  );
  // Of those, as many are none of its posts as items without a key ask for.
  const elsewhere = tiers.map(({ ofItem, ofMedium }, tier) => {
    const counts = new Map<string, number>();
    for (const media of others)
      for (const period of tier < sure.length || isRecent(media) ? periods : []) {
        const mark = `${period} ${ofMedium(media)}`;
        if (mayBecome(media, period)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
      }
    const take = (mark: string) => {
      const left = counts.get(mark) ?? 0;
      counts.set(mark, left - 1);
      return left > 0;
    };
    for (const { path, period, item } of keyless) take(`${period} ${ofItem(item, path)}`);
    return take;
  });
  const periodAt = new Map(keyed.map(({ address, period }) => [address, period]));
  const known = keyed.flatMap(({ address, period }) => {
    const media = state.media.get(address);
    return media ? { address, marks: tiers.map(({ ofMedium }) => `${period} ${ofMedium(media)}`) } : [];
  });
  const wanted = keyed.map(({ address, path, item, period }) => ({
    address,
    marks: tiers.map(({ ofItem }, tier) => {
      const mark = `${period} ${ofItem(item, path)}`;
      return !isTaken({ address }) && elsewhere[tier]?.(mark) ? undefined : mark;
    }),
  }));
  return pairInChains(known, wanted, isTaken).map(({ from, to }) => {
    const period = periodAt.get(to);
    return { from, to, ...(period !== undefined && { period }) };
  });

  function isDisplaced({ address, item }: (typeof keyed)[number]): boolean {
    const media = state.media.get(address);
    return media !== undefined && SAME_CONTENT.ofMedium(media) !== SAME_CONTENT.ofItem(item);
  }
}

/** What a key that was given on to something else leaves behind. */
const OF_ONE_LINE = [['plan', 'products', 'concept', 'format']] as const;
