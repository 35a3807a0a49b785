import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { NodeResult } from '../model/result.ts';
import { resultOf, type RunState } from '../model/run-state.ts';

/** What the nodes gave that this one depends on, in this run or earlier. */
export function upstreamResults(
  { dependsOn }: PlannedNode,
  state: RunState,
): ReadonlyMap<Address, NodeResult> {
  const results = new Map<Address, NodeResult>();
  for (const address of dependsOn) {
    const result = resultOf(state, address);
    if (result) results.set(address, result);
  }
  return results;
}
