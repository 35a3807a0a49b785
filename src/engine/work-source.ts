import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd, UnverifiedFile } from '../model/run-event.ts';

export interface Ended {
  readonly node: PlannedNode;
  readonly end: NodeEnd;
  readonly problem?: Problem | undefined;
  readonly files?: readonly string[];
  readonly unverified?: readonly UnverifiedFile[];
}

/** The work of a run. It knows no limits: it asks `admit` about each candidate. */
export interface WorkSource {
  open(): Promise<{ readonly nodes: readonly PlannedNode[]; readonly ended: readonly Ended[] }>;
  /** The ready node with the longest path that `admit` lets start: it gives the milliseconds until then, 0 for now. */
  claim(admit: (node: PlannedNode) => number): Promise<Claim>;
  /** Adds the nodes that its step made, too. If it was not done, its dependents end with it. Returns all that ended. */
  finish(ended: Ended, adds?: readonly PlannedNode[]): Promise<readonly Ended[]>;
  /** Puts a claimed node back for so long, and adds the nodes that its step made; returns those that ended. */
  wait(address: Address, ms: number, adds?: readonly PlannedNode[]): Promise<readonly Ended[]>;
  /** Releases what comes after a node that has not ended (`PlannedNode.after`): the awaited answer is there. */
  release(address: Address): Promise<void>;
  dependents(address: Address): Promise<readonly PlannedNode[]>;
  /** Nodes that are neither claimed nor ended, in plan order. */
  idle(): Promise<readonly { readonly node: PlannedNode; readonly ready: boolean }[]>;
}

export type Claim =
  | { readonly type: 'node'; readonly node: PlannedNode }
  /** `left`: nodes that have not ended. `ms`: until something may start; Infinity while others have to end first. */
  | { readonly type: 'none'; readonly left: number; readonly ms: number };
