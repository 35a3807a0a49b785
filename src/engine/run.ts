import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd, RunEvent } from '../model/run-event.ts';
import type { Recorder, Steps } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { Admission } from './admission.ts';
import { type Attempt, createHalt } from './halt.ts';
import type { Judged } from './judge.ts';
import type { Column } from './outcome-table.ts';
import type { Progress } from './progress.ts';
import { createRechecks } from './rechecks.ts';
import { createStopping, type StopSignal } from './stopping.ts';
import { createWaker } from './waker.ts';
import type { WorkSource } from './work-source.ts';

export interface RunOptions {
  readonly work: WorkSource;
  readonly admission: Admission;
  readonly progress: Progress;
  readonly steps: Steps;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: () => number;
  /** ISO 8601, for records. */
  readonly now: () => string;
  readonly stop: StopSignal;
  /** `submit-only`: nothing is polled, a requested medium ends as `pending`. */
  readonly waiting: 'all' | 'submit-only';
  /** Milliseconds from the start; then the run stops as after a first signal. */
  readonly deadlineMs?: number | undefined;
  /** `stop`: no new work after the first failure. */
  readonly failFast?: 'stop' | 'continue' | undefined;
  /** Why a node may not be sent, asked before each attempt, which may cost something; undefined where it may. */
  readonly whyNot?: ((node: PlannedNode) => Problem | undefined) | undefined;
  /** Called after the process was suspended or the computer slept: connections and tokens may have ended unnoticed. */
  readonly onResume?: (() => void) | undefined;
  readonly emit: (event: RunEvent) => void;
}

type Thrown = { readonly error: unknown };

export type AttemptEnd =
  | { readonly type: 'judged'; readonly judged: Judged }
  /** A limit of what may be spent forbids it: nothing was recorded, and nothing sent. */
  | { readonly type: 'withheld'; readonly problem: Problem }
  /** It may be begun after so long: nothing was recorded, and nothing sent. */
  | { readonly type: 'not-now'; readonly ms: number }
  /** Too many posts are being generated, and no run waits for them: nothing was recorded, and nothing sent. */
  | { readonly type: 'no-room' }
  /** Another process works on it: nothing was recorded, and nothing sent. */
  | { readonly type: 'taken-over' }
  /** Abandoned: its request may or may not be carried out. */
  | { readonly type: 'cut' }
  /** `kept`: the facts about what was sent are in a spill file, which the next run imports. */
  | { readonly type: 'not-written'; readonly sent: boolean; readonly error: unknown; readonly kept?: Judged }
  | { readonly type: 'crashed'; readonly error: unknown };

export function createRun(options: RunOptions) {
  const stopping = createStopping(options);
  return {
    ...options,
    waker: createWaker(options.clock),
    stopping,
    halt: createHalt({ ...options, stopping }),
    rechecks: createRechecks(),
    running: new Map<Address, Attempt>(),
    arrivals: [] as { readonly node: PlannedNode; readonly ended: AttemptEnd }[],
    /** A node that a stop kept from starting has none, nor has one that is done and was brought in (180 bytes a post). */
    ends: new Map<Address, NodeEnd>(),
    /** Requests that bring their posts in. */
    bringing: new Set<Address>(),
    /** Nodes that were added during the run: surplus posts. */
    added: new Map<Address, PlannedNode>(),
    errors: {} as { write?: Thrown; bug?: Thrown; refused?: Problem | undefined },
  };
}

export type Run = ReturnType<typeof createRun>;

/** The column of the outcome table for the answers to this node. */
export function columnOf({ rechecks }: Run, node: PlannedNode, sent: Facts['sent'] = 'no'): Column {
  if (isCreate(node)) return sent === 'no' ? 'unsent create' : 'create';
  if (!kindHas(node, 'stored', 'take')) return 'repeatable';
  return rechecks.isRecheck(node) ? 'recheck' : 'poll';
}

export function isBroughtIn({ bringing }: Run, { payload }: PlannedNode): boolean {
  return 'request' in payload && bringing.has(payload.request);
}

export function isLeftPending(run: Run, node: PlannedNode): boolean {
  return run.waiting === 'submit-only' && columnOf(run, node) === 'poll';
}
