import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { askedMoves } from './asked-moves.ts';
import { type MatchedPost, matchItems } from './match-items.ts';
import { applyMoves, inOneStep, matchObjects } from './match-objects.ts';
import { followingPosts } from './renamed-posts.ts';

/** The graph and the state brought together: what was renamed, and which item is which. */
export interface MatchedState {
  readonly posts: readonly MatchedPost[];
  readonly moves: readonly Move[];
  /** The state with the moves done. */
  readonly state: RunState;
}

/** Renames that the manifest states come first, then objects, then posts and items; each builds on those before. */
export function matchState(graph: Graph, state: RunState): MatchedState {
  const asked = askedMoves(graph, state);
  const before = applyMoves(state, asked);
  const objectMoves = matchObjects(graph, before);
  const renamed = applyMoves(before, objectMoves);
  const following = followingPosts(graph, renamed, asked);
  const items = matchItems(graph, applyMoves(renamed, following));
  return { ...items, moves: inOneStep(asked, [...objectMoves, ...following, ...items.moves]) };
}
