import { type Address, downloadAddress, mediaOf } from '../model/address.ts';
import { KINDS, type NodeKind } from '../model/kinds.ts';
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
    add({ kind, address, end }: Extract<RunEvent, { type: 'node-finished' }>) {
      const counted = countedAddress(kind, address);
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

export function countWork(nodes: Iterable<{ readonly kind: NodeKind; readonly address: Address }>): number {
  const counted = new Set<Address>();
  for (const { kind, address } of nodes) {
    const own = countedAddress(kind, address);
    if (own !== undefined) counted.add(own);
  }
  return counted.size;
}

function countedAddress(kind: NodeKind, address: Address): Address | undefined {
  return KINDS[kind].counted === 'never' ? undefined : mediaOf(address);
}
