import type { Graph } from '../model/graph.ts';
import { currentTake, type RunState } from '../model/run-state.ts';

/** Whether a state has exactly one of the posts that a campaign asks for. */
export function wasAskedBefore(graph: Graph, state: RunState): boolean {
  const asked = new Set(graph.posts.flatMap(({ items }) => items.map(({ fingerprint }) => fingerprint)));
  return [...state.media.values()].some((medium) => asked.has(currentTake(medium)?.fingerprint ?? ''));
}

/** Whether a state has posts that are still to be fetched, for commands that fetch and do not know what is asked for. */
export function hasPending({ media }: RunState): boolean {
  return [...media.values()].some(({ takes }) => takes.some(({ status }) => status === 'pending'));
}
