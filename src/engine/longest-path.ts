import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';

/**
 * For each node the length of the longest path from it to a node without dependents, itself included. Dependencies have
 * to come before their dependents, as in a plan.
 */
export function longestPaths(
  nodes: readonly Pick<PlannedNode, 'address' | 'dependsOn'>[],
): ReadonlyMap<Address, number> {
  const lengths = new Map<Address, number>();
  for (const { address, dependsOn } of nodes.toReversed()) {
    const length = lengths.get(address) ?? 1;
    lengths.set(address, length);
    for (const dependency of dependsOn) {
      lengths.set(dependency, Math.max(lengths.get(dependency) ?? 1, length + 1));
    }
  }
  return lengths;
}
