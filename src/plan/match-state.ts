import { hasKey } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { askedMoves } from './asked-moves.ts';
import { type MatchedState, matchItems } from './match-items.ts';
import { moveInSteps, pairOneToOne } from './move-steps.ts';
import { followingPosts, renamedPosts } from './renamed-posts.ts';

/**
 * Matches graph and state: what was renamed, and which item is which. Renames that the manifest states come first, then
 * objects, then posts and items; each step uses the results of those before.
 */
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
 * Products and concepts with a new name: the state has one that the manifest no longer names, the manifest a new one
 * with exactly the same fingerprint, and no others have it. An unknown create moves as well, because it would otherwise
 * be paid for a second time under its new name.
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
