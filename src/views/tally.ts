import { type Address, downloadAddress, mediaOf } from '../model/address.ts';
import { KINDS, type NodeKind } from '../model/kinds.ts';
import type { RunEvent } from '../model/run-event.ts';

type Finished = Extract<RunEvent, { type: 'node-finished' }>;

/**
 * The one count of a run: uploads, products, concepts and posts, as in the plan and in the summary. A post counts once,
 * when its files are there or when it ends without them; requests are not counted.
 */
export interface Tally {
  readonly finished: number;
  /** Takes in the end of a node; true when something that is counted has finished with it. */
  add(event: Finished): boolean;
}

/** `planned`: addresses of all nodes of the run; a post whose download is among them goes on after its generation. */
export function createTally(planned: { has(address: Address): boolean }): Tally {
  const finished = new Set<Address>();
  return {
    get finished() {
      return finished.size;
    },
    add({ kind, address, end }) {
      const counted = countedAddress(kind, address);
      if (counted === undefined || finished.has(counted)) return false;
      if (KINDS[kind].stored === 'take' && end === 'done' && planned.has(downloadAddress(address)))
        return false;
      finished.add(counted);
      return true;
    },
  };
}

/** How many uploads, products, concepts and posts these nodes are about. */
export function countWork(nodes: readonly { readonly kind: NodeKind; readonly address: Address }[]): number {
  return new Set(nodes.map(({ kind, address }) => countedAddress(kind, address)).filter(Boolean)).size;
}

function countedAddress(kind: NodeKind, address: Address): Address | undefined {
  return KINDS[kind].counted === 'never' ? undefined : mediaOf(address);
}
