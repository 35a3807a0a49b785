import { mediaAddress, takeAddress, type Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import { afterRechecks, type Rechecked, recheckedBy } from './after-rechecks.ts';
import type { Ended } from './ended.ts';

/** Posts that are rechecked, and the requests that wait for the result. */
export function createRechecks() {
  const planned = new Map<Address, PlannedNode>();
  const requests: PlannedNode[] = [];
  const known = new Map<Address, Rechecked>();
  const found = new Set<Address>();
  const narrowed = new Map<Address, PlannedNode>();

  const isRecheck = (node: PlannedNode): boolean =>
    kindHas(node, 'stored', 'take') && node.again !== undefined && !found.has(node.address);

  function tell(recheck: Address, rechecked: Rechecked): Ended[] {
    known.set(recheck, rechecked);
    return requests.filter(({ after }) => after?.includes(recheck)).flatMap(decide);
  }

  function decide(request: PlannedNode): Ended[] {
    const decided = afterRechecks(request, known);
    if (!decided || !kindHas(request, 'stored', 'request')) return [];
    const { post, n } = request.payload;
    const left = decided.left.flatMap(({ item, end, problem }): Ended[] => {
      const node = planned.get(takeAddress(mediaAddress(post, item), n));
      return node ? [{ node, end, problem }] : [];
    });
    if (decided.request) narrowed.set(request.address, decided.request);
    else {
      const putOff = decided.left.find(({ end }) => end === 'put-off');
      left.push({ node: request, end: putOff?.end ?? 'unchanged' });
    }
    return left;
  }

  return {
    takeIn(nodes: readonly PlannedNode[]): void {
      const after = nodes.filter((node) => node.after?.length);
      requests.push(...after);
      if (after.length) for (const node of nodes) planned.set(node.address, node);
    },
    /** Whether this node is still a recheck; a post that was found is polled like any other. */
    isRecheck,
    /** The request with the items that are still wanted; any other node is returned as it is. */
    narrowed: (node: PlannedNode): PlannedNode => narrowed.get(node.address) ?? node,
    /** A node has ended. If it was a recheck, nodes of its request that are no longer needed end as well. */
    ended: (ended: Ended): Ended[] =>
      isRecheck(ended.node) ? tell(ended.node.address, recheckedBy(ended)) : [],
    /** The post is being generated after all: nothing waits for its recheck any more. */
    found(recheck: PlannedNode): Ended[] {
      found.add(recheck.address);
      return tell(recheck.address, { type: 'there' });
    },
  };
}

export type Rechecks = ReturnType<typeof createRechecks>;
