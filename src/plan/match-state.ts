import { hasKey } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { askedMoves } from './asked-moves.ts';
import { type MatchedState, matchItems } from './match-items.ts';
import { moveInSteps, pairOneToOne } from './move-steps.ts';
import { followingPosts, renamedPosts } from './renamed-posts.ts';

/** Brings graph and state together: what was renamed, and which item is which. Renames that the manifest states come first, then objects, then posts and items; each builds on those before. */
export function matchState(graph: Graph, state: RunState): MatchedState {
  const asked = askedMoves(graph, state);
  const renamed = moveInSteps(asked, [
    (now) => renamedObjects(graph, now),
    (now) => followingPosts(graph, now, asked.moves),
    (now) => renamedPosts(graph, now),
  ]);
  return matchItems(graph, renamed);
}

/**
 * Renamed products and concepts: an object of the state that the manifest no longer names and a new one with exactly
 * the same fingerprint, one to one. An unknown create moves too, or its new name would be bought a second time.
 */
function renamedObjects(graph: Graph, state: RunState): Move[] {
  const gone = [...state.objects.values()].filter(
    ({ address, fingerprint }) => hasKey(address) && fingerprint && !graph.objects.has(address),
  );
  const fresh = [...graph.objects.values()].filter(
    ({ address, external }) => hasKey(address) && !external && !state.objects.has(address),
  );
  return pairOneToOne(gone, fresh);
}
