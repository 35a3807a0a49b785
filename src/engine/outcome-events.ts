import type { Facts } from '../model/facts.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import { isDeletion, type PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Job } from '../model/step.ts';
import type { JsonObject } from '../util/json.ts';
import { problemOf, type Verdict } from './judge.ts';

interface OutcomeEvents {
  readonly append: readonly StateEvent[];
  /** May be lost in a crash. */
  readonly note: readonly StateEvent[];
}

type ResultOf<T extends StateEvent['type']> = Extract<StateEvent, { type: T; result: unknown }>['result'];

/** What must be durable before the request is sent: the intent of a create, the note of an update or a deletion. */
export function eventBefore(
  { node, attempt }: Pick<Job, 'node' | 'attempt'>,
  now: () => string,
): StateEvent | undefined {
  const { address } = node;
  if (isCreate(node)) {
    const request = kindHas(node, 'stored', 'request') ? { request: node.payload } : {};
    return { type: 'intent', at: now(), address, ...meaningOf(node), attempt, ...request };
  }
  // Once in a run, because a second attempt changes nothing about it.
  if (attempt > 1) return undefined;
  if (isDeletion(node)) return { type: 'deleting', at: now(), address };
  return node.action === 'update' ? { type: 'updating', at: now(), address } : undefined;
}

/** The inputs of a request are those of its items, which its payload has. */
function meaningOf(node: PlannedNode): { inputs: JsonObject; fingerprint: string } {
  if (!kindHas(node, 'stored', 'object')) return { inputs: {}, fingerprint: '' };
  const { inputs, fingerprint } = node;
  return { inputs, fingerprint };
}

export function outcomeEvents(
  node: PlannedNode,
  { facts, verdict }: { readonly facts: Facts; readonly verdict: Pick<Verdict, 'log'> },
  at: string,
): OutcomeEvents {
  const { learned } = facts;
  const listed = 'listed' in facts ? facts.listed : undefined;
  const ended = endEvent(node, { facts, log: verdict.log, at });
  return {
    append: [
      ...(ended ? [ended] : []),
      ...(listed && kindHas(node, 'stored', 'take')
        ? [{ type: 'listed' as const, at, address: node.payload.request, result: listed }]
        : []),
      ...(learned ? [{ type: 'learned' as const, at, ...learned }] : []),
    ],
    note: 'seen' in facts ? [{ type: 'seen', at, address: node.address }] : [],
  };
}

interface End {
  readonly facts: Facts;
  readonly log: Verdict['log'];
  readonly at: string;
}

/** A step gives the result of its own kind, or a problem; the types do not say so. */
function endEvent(node: PlannedNode, { facts, log, at }: End): StateEvent | undefined {
  const { address } = node;
  const result = 'result' in facts ? facts.result : undefined;
  const problem = problemOf(facts) as Problem;
  switch (log) {
    case 'created':
      return { type: log, at, address, result: result as ResultOf<'created'> };
    case 'unknown':
      return { type: log, at, address, evidence: evidenceOf(facts) };
    case 'done':
      return doneEvent(node, result, at);
    case 'failed':
      return { type: isDeletion(node) ? 'not-deleted' : log, at, address, problem };
    case 'rejected':
    case 'not-sent':
    case 'throttled':
    case 'generation-failed':
    case 'lost':
      return { type: log, at, address, problem };
    case 'none':
      return undefined;
  }
}

function evidenceOf(facts: Facts) {
  const { summary, detail, status } = problemOf(facts, 'unknown') as Problem;
  const request = 'request' in facts ? facts.request : undefined;
  return {
    summary,
    ...(detail === undefined ? {} : { detail }),
    ...(request === undefined ? {} : { request }),
    ...(status === undefined ? {} : { status }),
  };
}

function doneEvent(node: PlannedNode, result: unknown, at: string): StateEvent {
  const { address } = node;
  if (isDeletion(node)) return { type: 'deleted', at, address };
  if (kindHas(node, 'stored', 'take'))
    return { type: 'generated', at, address, result: result as ResultOf<'generated'> };
  if (kindHas(node, 'stored', 'files'))
    return { type: 'downloaded', at, address, result: result as ResultOf<'downloaded'> };
  const ended = { at, address, ...meaningOf(node) };
  return kindHas(node, 'creates', 'link')
    ? { ...ended, type: 'uploaded', result: result as ResultOf<'uploaded'> }
    : { ...ended, type: 'updated', result: result as ResultOf<'updated'> };
}
