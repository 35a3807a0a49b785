/** `campaign destroy`: everything that this state made is deleted, as far as nothing that stays refers to it. */
import type { Graph } from '../model/graph.ts';
import type { Noted, Plan } from '../model/plan.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { idKey } from '../util/id-key.ts';
import { planDeletions } from './plan-deletions.ts';
import { resumingPlan } from './plan-resuming.ts';
import { idsIn, NAMED_BY_ID } from './prune.ts';
import { idOf } from './request-uses.ts';

/** `files`: whether downloaded files are removed with their posts. */
export function planDestroy(graph: Graph, state: RunState, files: 'go' | 'stay'): Plan {
  const usedIds = idsIn(graph);
  const { nodes, stays } = planDeletions(state, {
    whyTakeStays: (_, { status }) =>
      status === 'pending' || status === 'unknown' ? `it is ${status}` : undefined,
    whyObjectStays: (object) => (usedIds.has(idKey(idOf(object) ?? '')) ? NAMED_BY_ID : undefined),
    withoutPosts: 'go',
    files,
    reasonsFor: () => [],
  });
  const unknown = [...state.objects.values(), ...state.requests.values()].flatMap((node): Noted[] =>
    node.status === 'unknown' ? [{ address: node.address, counts: 1, evidence: node.evidence }] : [],
  );
  const pending = [...state.media.values()].filter(
    (media) => currentTake(media)?.status === 'pending',
  ).length;
  return {
    ...resumingPlan(nodes, { failed: [], unknown, notSelected: 0 }),
    leftAlone: [...stays.keys()],
    deletions: { stays: [...stays].map(([address, why]) => ({ address, why })), withheld: [], pending },
  };
}
