import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';

/**
 * The renames that the manifest states under `moved`: a product, a concept, an item (`media/hero/kitchen`), or a post
 * with all its items (`media/hero`). One that was done already, or whose target the state knows by now, is passed over.
 */
export function askedMoves(graph: Graph, state: RunState): Move[] {
  return graph.moved.flatMap(({ from, to }) => {
    if (!from.startsWith('media/')) return isFree(from, to, state) ? [{ from, to }] : [];
    if (state.media.has(from)) return isFree(from, to, state) ? [{ from, to }] : [];
    return [...state.media.values()]
      .filter(({ post }) => `media/${post}` === from)
      .map(({ address, item }) => ({ from: address, to: `${to}/${item}` }))
      .filter((move) => isFree(move.from, move.to, state));
  });
}

function isFree(from: Address, to: Address, { objects, media }: RunState): boolean {
  return from.startsWith('media/')
    ? media.has(from) && !media.has(to)
    : objects.has(from) && !objects.has(to);
}
