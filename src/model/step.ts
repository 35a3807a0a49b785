/**
 * The seams of the engine. Everything that crosses them is plain data: the log, a saved plan and other machines need
 * that. The step classifies an answer; the engine decides what a class means.
 */
import type { Json } from '../util/json.ts';
import type { Address } from './address.ts';
import type { NodeKind } from './kinds.ts';
import type { PlannedNode } from './plan.ts';
import type { Problem } from './problem.ts';
import type { Learned, NodeResult, RequestResult } from './result.ts';
import type { RunState } from './run-state.ts';
import type { Evidence, StateEvent } from './state-event.ts';

/** What one attempt of a node gave. */
export type Outcome =
  /** `adds`: items that the service made beyond those sent. */
  | {
      readonly type: 'done';
      readonly result: NodeResult;
      readonly adds?: readonly PlannedNode[];
      readonly learned?: Learned;
    }
  /** Holds no slot until `until` (clock.monotonic() milliseconds); the only way to wait. */
  | {
      readonly type: 'wait';
      readonly until: number;
      readonly why: 'poll' | 'retry' | 'throttled';
      readonly memo?: Json;
      readonly problem?: Problem;
      readonly learned?: Learned;
      /** True with the first answer of a medium. */
      readonly seen?: boolean;
      /** Items that the service lists by now for the request of a medium, and the answer to it did not have. */
      readonly listed?: RequestResult;
      /** No request was sent in this attempt: it says nothing about the service. */
      readonly unsent?: boolean;
      /** The service is there: it refused the request, or what it gave is no good. No outage. */
      readonly answered?: boolean;
      /** The service was too slow or said 503: fewer requests of this kind from now on (`throttled` implies it). */
      readonly overloaded?: boolean;
      /** The service says 404 for what it had: no proof that it is gone, and no sign that the service is well. */
      readonly denied?: boolean;
    }
  /**
   * failed: it exists and is bad, or repeating is pointless · rejected: a create refused with nothing done ·
   * lost: it answered before and is gone · put-off: try again in another run.
   */
  | { readonly type: 'failed' | 'rejected' | 'lost' | 'put-off'; readonly problem: Problem }
  /** What was looked for once more is as it was. */
  | { readonly type: 'unchanged' }
  /** The service refuses the key: the whole run ends with 77. */
  | { readonly type: 'unauthorized'; readonly problem: Problem }
  /** A create that may or may not have happened: never sent again by itself. */
  | { readonly type: 'unknown'; readonly evidence: Evidence; readonly overloaded?: boolean };

/** One attempt of one node. */
export interface Job {
  readonly node: PlannedNode;
  /** 1 for the first attempt in this run. */
  readonly attempt: number;
  /** What the last attempt's `wait` handed over. */
  readonly memo?: Json;
  /** Milliseconds of running time since the first attempt in this run. */
  readonly runningMs: number;
  /** Results of what the node depends on, by address. */
  readonly results: ReadonlyMap<Address, NodeResult>;
}

/** How one kind of node meets the service; bound to its client and files by steps/create-steps.ts. */
export interface Step {
  /**
   * One attempt; resolves even when the service misbehaves. Aborting `signal` ends it, but for a create whose request
   * has left: that is awaited.
   */
  run(job: Job, signal: AbortSignal): Promise<Outcome>;
}

export type Steps = Readonly<Record<NodeKind, Step>>;

/** The state and its log: events are durable before `append` resolves, and folded before anything sees them. */
export interface Recorder {
  readonly state: RunState;
  /** Rejects where the log does not take them; the error's `keptIn` names the file that does, if there is one. */
  append(events: readonly StateEvent[]): Promise<void>;
  /** For facts that may be lost in a crash: written with the next durable append. */
  note(events: readonly StateEvent[]): void;
}
