/** A plan that requests nothing: it goes on with what earlier runs requested. */
import { type Noted, type Plan, type PlannedNode, PlannedNodes } from '../model/plan.ts';

interface Open {
  readonly failed: readonly Noted[];
  readonly unknown: readonly Noted[];
  readonly notSelected: number;
}

const NOTHING_OPEN: Open = { failed: [], unknown: [], notSelected: 0 };

export function resumingPlan(nodes: readonly PlannedNode[], open = NOTHING_OPEN): Plan {
  return {
    nodes: new PlannedNodes(nodes),
    moves: [],
    fileMoves: [],
    unchanged: 0,
    newPosts: 0,
    replaced: 0,
    isFree: false,
    rejected: 0,
    beyondBudget: [],
    held: [],
    kept: [],
    leftAlone: [],
    ...open,
  };
}
