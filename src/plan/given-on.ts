/**
 * Posts that are exactly what items without a post ask for, while the item that has their key asks for something else: they
 * are those items' posts. Replaced at their key, they would be paid for twice, once unasked.
 */
import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { SAME_CONTENT } from './marks.ts';
import type { MayBecome } from './periods.ts';

/** Not more of them than are asked for beyond the posts that no key names. */
export function postsGivenOn(graph: Graph, state: RunState, mayBecome: MayBecome): ReadonlySet<Address> {
  // Most plans displace nothing, and need not count.
  if (!displacesSome(graph, state)) return new Set();
  const displaced: MediaState[] = [];
  const named = new Set<Address>();
  const open = new Map<string, number>();
  const periods = new Set<string | undefined>();
  const count = (mark: string, change: number) => open.set(mark, (open.get(mark) ?? 0) + change);
  for (const { path, period, items } of graph.posts) {
    periods.add(period?.name);
    for (const { key, fingerprint } of items) {
      const media = key ? state.media.get(mediaAddress(path, key)) : undefined;
      if (!media) count(`${period?.name} ${fingerprint}`, 1);
      else {
        named.add(media.address);
        if (isMade(media) && SAME_CONTENT.ofMedium(media) !== fingerprint) displaced.push(media);
      }
    }
  }
  const marksOf = (media: MediaState) =>
    [...periods]
      .map((period) => ({ period, mark: `${period} ${SAME_CONTENT.ofMedium(media)}` }))
      .filter(({ period, mark }) => open.has(mark) && mayBecome(media, period))
      .map(({ mark }) => mark);
  for (const media of state.media.values())
    if (!media.surplus && !named.has(media.address)) for (const mark of marksOf(media)) count(mark, -1);
  const givenOn = displaced.filter((media) => {
    const mark = marksOf(media).find((each) => (open.get(each) ?? 0) > 0);
    if (mark !== undefined) count(mark, -1);
    return mark !== undefined;
  });
  return new Set(givenOn.map(({ address }) => address));
}

/** Whether a post is at the key of an item that asks for something else. */
export function displacesSome({ posts }: Graph, { media }: RunState): boolean {
  return posts.some(({ path, items }) =>
    items.some(({ key, fingerprint }) => {
      const at = key ? media.get(mediaAddress(path, key)) : undefined;
      return at !== undefined && SAME_CONTENT.ofMedium(at) !== fingerprint;
    }),
  );
}

export function isMade(media: MediaState): boolean {
  const status = currentTake(media)?.status;
  return status === 'done' || status === 'pending';
}
