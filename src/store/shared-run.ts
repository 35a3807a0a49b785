/**
 * A run that several processes carry out together: its nodes are claimed one by one, each by one process, and all of them
 * write one log. test/cluster/shared-work.test.ts and its neighbours say what an implementation has to guarantee.
 */
import type { AccountNews, AmbiguousCreates, Hold } from '../model/account-news.ts';
import type { Address } from '../model/address.ts';
import type { Limit, Spent } from '../model/budget.ts';
import type { NodeKind } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { NodeEnd, RunEvent } from '../model/run-event.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { Recorder } from '../model/step.ts';
import type { JsonObject } from '../util/json.ts';
import type { KnownHead } from './known-head.ts';

/** What is to be carried out, as one process has planned it. */
export interface Sharing {
  /** All nodes, dependencies first. */
  readonly nodes: readonly PlannedNode[];
  /** What those who take part need to know besides; no secret. */
  readonly spec: JsonObject;
  /** Only who has the key of this account takes part. */
  readonly account: string;
  /** Posts that may be generated at once, and those that are. */
  readonly mediaInFlight: number;
  readonly generating: number;
  /** Whether its processes wait for the posts; else they take up room as long as the run goes on. */
  readonly polls: boolean;
  /** Requests at once, and a second. */
  readonly atOnce: number;
  readonly perSecond?: number | undefined;
  readonly budget?: SharedBudget | undefined;
}

/** What may be spent. The limits of a month hold for all runs of the account together. */
export interface SharedBudget {
  readonly limits: readonly Limit[];
  /** What counts with the limits of this run already. */
  readonly run: Spent;
  /** What was spent by month: of this state, and of others that use the account. */
  readonly states: readonly StateSpending[];
}

export interface StateSpending {
  readonly lineage: string;
  readonly months: ReadonlyMap<string, Spent>;
}

/** A shared run that has not ended. */
export type OpenRun = Pick<Sharing, 'spec' | 'account'> & { readonly id: number };

export interface ClaimedNode {
  readonly node: PlannedNode;
  /** How that ended which it depends on, where it is part of the run. */
  readonly ends: Readonly<Record<Address, NodeEnd>>;
  /** A process had begun this create, and has recorded no end of it. */
  readonly wasBegun: boolean;
  /** It asks for more posts than may be generated beside those that no run waits for. */
  readonly hasNoRoom: boolean;
}

/** With what the processes of the account have found out about the service. */
export interface Claims extends Progress, AccountNews {
  readonly claimed: readonly ClaimedNode[];
  /** So many nodes may be under way here at once. */
  readonly slots: number;
  /** Whether a run of the account limits the requests a second: each has to have its time then. */
  readonly isPaced: boolean;
}

export interface Progress {
  /** Whether there are nodes that have not ended. */
  readonly isLeft: boolean;
  /** Nodes that somebody works on. */
  readonly active: number;
  /** Why nothing is started any more; empty while the run goes on. */
  readonly stop: readonly string[];
  /** Nothing of it happens any more. */
  readonly isOver: boolean;
}

export interface SharedRun {
  readonly id: number;
  readonly spec: JsonObject;
  /**
   * Its state has what every process has recorded, up to the own last record. The intent of a create is taken only from
   * the process that has claimed its node, and once only: else `append` rejects with TakenOver, and nothing may be sent.
   * An intent beyond a limit of what may be spent, or beyond the posts that may be generated, is refused with NotBegun.
   * An event that says that a node is done ends the node, too. If it had ended as unknown, what it had blocked is open again.
   */
  readonly recorder: Recorder;
  /** The newest record that is known here. */
  readonly head: KnownHead;
  /**
   * Claims nodes that may start. All processes of an account together have as many under way as its strictest run allows:
   * each gets its part of these slots, not more than it wants, and gives back what it does not need.
   */
  claim(slots: { readonly wanted: number; readonly busy: number }): Promise<Claims>;
  /** When so many requests at most may leave, in milliseconds from now; they are nobody else's. */
  takeTimes(most: number): Promise<readonly number[]>;
  /** For all processes of the account, until none of its runs is open. */
  hold(hold: Hold): void;
  tellCreates(ambiguous: AmbiguousCreates): void;
  look(): Promise<Progress>;
  /** False where the node was claimed by another process meanwhile: that one says how it ends. */
  end(address: Address, end: NodeEnd, adds?: readonly PlannedNode[]): Promise<boolean>;
  /** What came up during the run. */
  add(nodes: readonly PlannedNode[]): Promise<void>;
  /** Gives nodes that were claimed to whoever claims them next. */
  handBack(addresses: readonly Address[]): Promise<void>;
  /** For those who watch the run; it may be lost in a crash. */
  tell(event: RunEvent): void;
  /** What was told since the event with this number, and how nodes ended of which nothing was told. */
  told(after: number): Promise<{ readonly events: readonly RunEvent[]; readonly last: number }>;
  /** How many other processes work at it. */
  others(): Promise<number>;
  /** Kinds of nodes that have not ended, and that no process of the run takes. */
  untaken(): Promise<readonly NodeKind[]>;
  ends(): Promise<ReadonlyMap<Address, NodeEnd>>;
  /** How it ended by its log, once the next run of the campaign has removed what was known of its nodes. */
  endInLog(): Promise<RunSummary['end']>;
  /** All of them, in the order of the plan, with those that came up during the run; `kept`: what is wanted of each. */
  nodes(kept?: (node: PlannedNode) => PlannedNode): Promise<readonly PlannedNode[]>;
  /**
   * For whoever ends the run: nobody knows any more what came of the creates that a process had begun which is gone. Gives
   * their nodes, which have ended as unknown.
   */
  endLost(): Promise<readonly PlannedNode[]>;
  /** Lets nobody start anything any more. */
  stop(reasons: readonly string[]): Promise<void>;
  /**
   * Carries out the end of the run; `work` records it. False where somebody else is doing so, or may still have to tell how
   * nodes ended. Who calls this takes part no more, until it claims something.
   */
  finish(work: () => Promise<void>): Promise<boolean>;
  /** Gives up what it has claimed; the run goes on without this process. */
  close(): Promise<void>;
}

/** Somebody else works on this node now: nothing was sent, and nothing may be. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
  readonly isTakenOver = true;
}
