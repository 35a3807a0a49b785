import type { RunState } from '../model/run-state.ts';

/** How many uploads, products, concepts and posts a state knows: the nodes that plans and summaries count. */
export function countNodes(state: RunState): number {
  return state.objects.size + state.media.size;
}
