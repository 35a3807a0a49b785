/** The seams of the engine: what crosses them is plain data, because log, saved plans and other machines need that. */
import type { Json } from '../util/json.ts';
import type { Address } from './address.ts';
import type { NodeKind } from './kinds.ts';
import type { PlannedNode } from './plan.ts';
import type { Facts } from './facts.ts';
import type { NodeResult } from './result.ts';
import type { RunState } from './run-state.ts';
import type { StateEvent } from './state-event.ts';

export interface Job {
  readonly node: PlannedNode;
  /** 1 for the first attempt in this run. */
  readonly attempt: number;
  /** What the last attempts left for this one. */
  readonly memo?: Json;
  /** Milliseconds of running time since the first attempt in this run. */
  readonly runningMs: number;
  readonly results: Readonly<Record<Address, NodeResult>>;
}

export interface Step {
  /**
   * One attempt; resolves also when the service misbehaves. Aborting `signal` ends the attempt, except for a create
   * whose request has been sent: its answer is awaited. `answered` may be called once all answers were read: what
   * follows happens on this machine, and others may send meanwhile.
   */
  run(job: Job, signal: AbortSignal, answered?: () => void): Promise<Facts>;
}

export type Steps = Readonly<Record<NodeKind, Step>>;

/** The state and its log: events are durable before `append` resolves, and folded before anything reads them. */
export interface Recorder {
  readonly state: RunState;
  /** Rejects if the log does not take the events; the error's `keptIn` names the spill file that has them. */
  append(events: readonly StateEvent[]): Promise<void>;
  /** For facts that may be lost in a crash: written with the next durable append. */
  note(events: readonly StateEvent[]): void;
}
