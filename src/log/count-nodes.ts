import type { RunState } from '../model/run-state.ts';

/** How many uploads, products, concepts and posts a state knows: what plans and summaries count as well. */
export function countNodes(state: RunState): number {
  return state.objects.size + state.media.size;
}
