/** Starts nodes, and judges the facts of their attempts. */
import type { Facts } from '../model/facts.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { NodeResult } from '../model/result.ts';
import { resultOf, type RunState } from '../model/run-state.ts';
import type { Job } from '../model/step.ts';
import { type Attempt, type Judged, startAttempt } from './attempt.ts';
import { isCreate } from '../model/kinds.ts';
import { isQuota, judge, problemOf } from './judge.ts';
import { rowOf } from './outcome-table.ts';
import { columnOf, isLeftPending, type Run } from './run.ts';
import { finish } from './finish.ts';
import { STOPPED } from './stop.ts';
import type { Claim } from './work-source.ts';

/** Starts everything that may start now; returns how many nodes are left, and when something may start next. */
export async function startAllowed(run: Run): Promise<Extract<Claim, { type: 'none' }>> {
  for (;;) {
    const claim = await run.work.claim((node) => admit(run, node));
    if (claim.type === 'none') return claim;
    const node = run.rechecks.narrowed(claim.node);
    if (isLeftPending(run, node)) await finish(run, { node, end: 'pending' });
    else start(run, node);
  }
}

function admit(run: Run, node: PlannedNode): number {
  if (isLeftPending(run, node)) return 0;
  if (run.quotas.of(node.kind)) return Number.POSITIVE_INFINITY;
  return run.admission.admit(run.rechecks.narrowed(node));
}

function start(run: Run, node: PlannedNode): void {
  const { progress, recorder, steps, now, stopping, admission } = run;
  const job: Job = { node, ...progress.started(node), results: upstreamResults(node, recorder.state) };
  const attempt = startAttempt({
    job,
    step: steps[node.kind],
    recorder,
    now,
    maySend: () => stopping.open,
    judge: (facts, signal) => judgeAttempt(run, job, { facts, signal }),
    abandoned: () => admission.abandoned(node),
  });
  run.running.set(node.address, attempt);
  void follow(run, node, attempt);
}

/** The results of the nodes that this one depends on, from this run or earlier ones. */
function upstreamResults({ dependsOn }: PlannedNode, state: RunState): Record<string, NodeResult> {
  const results: Record<string, NodeResult> = {};
  for (const address of dependsOn) {
    const result = resultOf(state, address);
    if (result) results[address] = result;
  }
  return results;
}

async function follow({ arrivals, waker }: Run, node: PlannedNode, attempt: Attempt): Promise<void> {
  arrivals.push({ node, ended: await attempt.ended });
  waker.wake();
}

/** An aborted request says nothing about the service, unless it succeeded; creates that were sent are not aborted. */
function judgeAttempt(
  run: Run,
  { node, attempt }: Job,
  { facts: given, signal }: { readonly facts: Facts; readonly signal: AbortSignal },
): Judged {
  const { admission, quotas, random } = run;
  run.waker.wake();
  const hasEnded = given.came === 'result' || (isCreate(node) && given.came !== 'aborted');
  const isAborted = given.came === 'aborted' || (signal.aborted && !hasEnded);
  const facts: Facts = given.came !== 'aborted' && isAborted ? ABORTED : given;
  const column = columnOf(run, node, facts.sent);
  if (isAborted) admission.abandoned(node);
  // Before the end is durable, because the slot that is free now must not go to another node of this kind.
  else if (isQuota(facts)) quotas.used(node.kind, facts.problem);
  const isPaid = isAborted || admission.report(node, facts, rowOf(column, facts.came));
  const verdict = judge({ column, facts, attempt, isPaid, random });
  const problem =
    isAborted && signal.aborted
      ? STOPPED
      : problemOf(facts, verdict.next === 'end' ? verdict.end : undefined);
  return { facts, verdict, problem };
}

const ABORTED: Facts = { came: 'aborted', sent: 'no', problem: STOPPED };
