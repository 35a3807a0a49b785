import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd } from '../model/run-event.ts';
import type { Attempt, AttemptEnd } from './attempt.ts';
import { type Waker, createWaker } from './waker.ts';
import { createHalt, type Halt } from './halt.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import { createRechecks, type Rechecks } from './rechecks.ts';
import type { Column } from './outcome-table.ts';
import { createQuotas, type Quotas } from './quotas.ts';
import type { RunOptions } from './run-options.ts';
import { createStopping, type Stopping } from './stopping.ts';

type Thrown = { readonly error: unknown };

/** A run under way: its options, its parts, and the ends of its nodes. */
export interface Run extends RunOptions {
  readonly waker: Waker;
  readonly stopping: Stopping;
  readonly halt: Halt;
  readonly rechecks: Rechecks;
  readonly quotas: Quotas;
  readonly running: Map<Address, Attempt>;
  /** Attempts that have ended and are not settled yet. */
  readonly arrivals: { readonly node: PlannedNode; readonly ended: AttemptEnd }[];
  readonly ends: Map<Address, NodeEnd>;
  readonly added: PlannedNode[];
  readonly errors: { write?: Thrown; bug?: Thrown; refused?: Problem };
}

export function createRun(options: RunOptions): Run {
  const { stop, clock, deadlineMs, emit } = options;
  const stopping = createStopping({ stop, clock, deadlineMs });
  return {
    ...options,
    waker: createWaker(clock),
    stopping,
    halt: createHalt({ stopping, clock, emit }),
    rechecks: createRechecks(),
    quotas: createQuotas(),
    running: new Map(),
    arrivals: [],
    ends: new Map(),
    added: [],
    errors: {},
  };
}

/** The column of the outcome table for the answers to this node. */
export function columnOf(
  { rechecks }: Pick<Run, 'rechecks'>,
  node: PlannedNode,
  sent: 'no' | 'maybe' | 'yes',
): Column {
  if (isCreate(node)) return sent === 'no' ? 'unsent create' : 'create';
  if (!kindHas(node, 'stored', 'take')) return 'repeatable';
  return rechecks.isRecheck(node) ? 'recheck' : 'poll';
}

/** Whether this node waits for a post that this run does not wait for. */
export function isLeftPending(run: Run, node: PlannedNode): boolean {
  return run.waiting === 'submit-only' && columnOf(run, node, 'no') === 'poll';
}
