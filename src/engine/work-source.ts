import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Ended } from './ended.ts';

/** What is to be done, and when; it knows no limits: each candidate is shown to `admit`. */
export interface WorkSource {
  /** The nodes of this run, dependencies first, and those that ended at once. */
  open(): Promise<{ readonly nodes: readonly PlannedNode[]; readonly ended: readonly Ended[] }>;
  /**
   * Hands out the ready node with the longest path that `admit` lets start: it says in how many milliseconds the node may
   * start, and 0 means that it starts now.
   */
  claim(admit: (node: PlannedNode) => number): Promise<Claim>;
  /**
   * Ends a node, and takes in the nodes that its step adds. Where it was not done, what depends on it ends with it. Gives
   * all that ended.
   */
  finish(ended: Ended, adds?: readonly PlannedNode[]): Promise<readonly Ended[]>;
  /** Puts a claimed node back for so many milliseconds, and takes in the nodes that its step adds; gives those that ended. */
  wait(address: Address, ms: number, adds?: readonly PlannedNode[]): Promise<readonly Ended[]>;
  /** Lets go what comes after a node that has not ended (`PlannedNode.after`): what they waited to learn is known. */
  release(address: Address): Promise<void>;
  /** Nodes that depend on this one directly and have not ended. */
  dependents(address: Address): Promise<readonly PlannedNode[]>;
  /** Nodes that are neither claimed nor ended, in plan order. */
  idle(): Promise<readonly { readonly node: PlannedNode; readonly ready: boolean }[]>;
}

export type Claim =
  | { readonly type: 'node'; readonly node: PlannedNode }
  /** `left`: nodes that have not ended. `ms`: until something may start; Infinity while others have to end first. */
  | { readonly type: 'none'; readonly left: number; readonly ms: number };
