/** What of an attempt goes into the log: events that must be durable before anything builds on them, and facts. */
import { isCreate, kindHas, KINDS } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Outcome } from '../model/step.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { JsonObject } from '../util/json.ts';

interface OutcomeEvents {
  readonly append: readonly StateEvent[];
  /** May be lost in a crash. */
  readonly note: readonly StateEvent[];
}

type ResultOf<T extends StateEvent['type']> = Extract<StateEvent, { type: T; result: unknown }>['result'];

/** Durable before the request of a create leaves. */
export function intentEvent(node: PlannedNode, attempt: number, at: string): StateEvent {
  const request = kindHas(node, 'stored', 'request') ? { request: node.payload } : {};
  return { type: 'intent', at, address: node.address, ...meaningOf(node), attempt, ...request };
}

/** A request means what its items mean, which its payload says. */
function meaningOf(node: PlannedNode): { inputs: JsonObject; fingerprint: string } {
  if (!kindHas(node, 'stored', 'object')) return { inputs: {}, fingerprint: '' };
  const { inputs, fingerprint } = node;
  return { inputs, fingerprint };
}

/** Before an update leaves; written once a run, as a second attempt changes nothing about it. */
export function updatingEvent({ address }: PlannedNode, at: string): StateEvent {
  return { type: 'updating', at, address };
}

/** The events of one attempt's outcome, at most one about the node itself. */
export function outcomeEvents(node: PlannedNode, outcome: Outcome, at: string): OutcomeEvents {
  const learned = 'learned' in outcome && outcome.learned ? [learnedEvent(outcome.learned, at)] : [];
  const ended = isCreate(node) ? createEvents(node, outcome, at) : repeatableEvents(node, outcome, at);
  const seen = outcome.type === 'wait' && outcome.seen === true;
  const listed =
    node.kind === 'media' && outcome.type === 'wait' && outcome.listed
      ? [{ type: 'listed' as const, at, address: node.payload.request, result: outcome.listed }]
      : [];
  return {
    append: [...ended, ...listed, ...learned],
    note: seen ? [{ type: 'seen', at, address: node.address }] : [],
  };
}

function learnedEvent(learned: { name: string; value: string }, at: string): StateEvent {
  return { type: 'learned', at, name: learned.name, value: learned.value };
}

/** Every attempt of a create has exactly one end, so that an open intent always means that it was interrupted. */
function createEvents(node: PlannedNode, outcome: Outcome, at: string): StateEvent[] {
  const { address } = node;
  switch (outcome.type) {
    case 'done':
      // A step gives the result of its own kind; the seam does not say so in its types.
      return [{ type: 'created', at, address, result: outcome.result as ResultOf<'created'> }];
    case 'unknown':
      return [{ type: 'unknown', at, address, evidence: outcome.evidence }];
    case 'rejected':
    case 'failed':
    case 'lost':
      return [{ type: 'rejected', at, address, problem: outcome.problem }];
    case 'put-off':
    case 'unauthorized':
      return [{ type: 'not-sent', at, address, problem: outcome.problem }];
    case 'unchanged':
      throw new Error(`${address}: a create is not looked for`);
    case 'wait': {
      const type = outcome.why === 'throttled' ? 'throttled' : 'not-sent';
      return [{ type, at, address, problem: outcome.problem ?? NOT_SENT }];
    }
  }
}

const NOT_SENT: Problem = { summary: 'not sent' };

function repeatableEvents(node: PlannedNode, outcome: Outcome, at: string): StateEvent[] {
  const { address } = node;
  switch (outcome.type) {
    case 'done':
      return [doneEvent(node, outcome.result, at)];
    case 'failed':
    case 'rejected':
      return [
        {
          type: isTake(node) ? 'generation-failed' : 'failed',
          at,
          address,
          problem: outcome.problem,
        },
      ];
    case 'lost':
      return [{ type: isTake(node) ? 'lost' : 'failed', at, address, problem: outcome.problem }];
    case 'unknown':
      return [{ type: 'failed', at, address, problem: outcome.evidence }];
    case 'wait':
    case 'put-off':
    case 'unauthorized':
    case 'unchanged':
      return [];
  }
}

function isTake(node: PlannedNode): boolean {
  return kindHas(node, 'stored', 'take');
}

function doneEvent(node: PlannedNode, result: unknown, at: string): StateEvent {
  const { address } = node;
  const type = KINDS[node.kind].doneEvent;
  switch (type) {
    case 'uploaded':
      return { type, at, address, ...meaningOf(node), result: result as ResultOf<'uploaded'> };
    case 'updated':
      return { type, at, address, ...meaningOf(node), result: result as ResultOf<'updated'> };
    case 'generated':
      return { type, at, address, result: result as ResultOf<'generated'> };
    case 'downloaded':
      return { type, at, address, result: result as ResultOf<'downloaded'> };
  }
}
