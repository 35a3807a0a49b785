import type { Graph } from '../model/graph.ts';
import type { RunState } from '../model/run-state.ts';
import { likeliest } from './likeliest.ts';
import { SAME_CONTENT } from './marks.ts';

/**
 * Whether a state has a post that a campaign asks for: exactly this one, or one of the same photos. Everything else may
 * have been edited since, and is asked about once it is known that the state is the campaign's.
 */
export function wasAskedBefore(graph: Graph, state: RunState): boolean {
  const media = [...state.media.values()];
  for (const { ofItem, ofMedium } of [SAME_CONTENT, ...likeliest(graph, state, { tiers: [['photos']] })]) {
    const asked = new Set(graph.posts.flatMap(({ items, path }) => items.map((item) => ofItem(item, path))));
    // Posts without a product show no photo.
    asked.delete('');
    if (media.some((medium) => asked.has(ofMedium(medium)))) return true;
  }
  return false;
}

/** Whether a state has posts that are still to be fetched, for commands that fetch and do not know what is asked for. */
export function hasPending({ media }: RunState): boolean {
  return [...media.values()].some(({ takes }) => takes.some(({ status }) => status === 'pending'));
}
