import { type Address, downloadAddress, mediaOf } from '../model/address.ts';
import { KINDS, type NodeKind } from '../model/kinds.ts';
import type { Action } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';

/**
 * Counts the uploads, products, concepts and posts that a run has finished. A post counts once, when its files are
 * downloaded or when it ends without them. `planned`: the downloads of the run.
 */
export function createTally(planned: { has(address: Address): boolean }) {
  let finished = 0;
  /** Posts that counted before their download, whose end is still to come. */
  const early = new Set<Address>();
  return {
    get finished() {
      return finished;
    },
    /** True when a counted node has ended for good. */
    add({ end, ...node }: Extract<RunEvent, { type: 'node-finished' }>) {
      const { kind, address } = node;
      const counted = countedAddress(node);
      if (counted === undefined) return false;
      if (KINDS[kind].stored === 'take') {
        if (end === 'done' && planned.has(downloadAddress(address))) return false;
        early.add(counted);
      } else if (early.delete(counted)) return false;
      finished += 1;
      return true;
    },
  };
}

export function countWork(nodes: Iterable<Countable>): number {
  const counted = new Set<Address>();
  for (const node of nodes) {
    const own = countedAddress(node);
    if (own !== undefined) counted.add(own);
  }
  return counted.size;
}

interface Countable {
  readonly kind: NodeKind;
  readonly address: Address;
  readonly action: Action;
}

/** A request is counted if it is deleted. */
function countedAddress({ kind, address, action }: Countable): Address | undefined {
  return KINDS[kind].counted === 'never' && action !== 'delete' ? undefined : mediaOf(address);
}
