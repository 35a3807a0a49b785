import type { Facts } from '../model/facts.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { resultOf } from '../model/run-state.ts';
import type { Job } from '../model/step.ts';
import { attempt } from './attempt.ts';
import { finish } from './finish.ts';
import { type AttemptEnd, isLeftPending, type Run } from './run.ts';
import type { Claim } from './work-source.ts';

/** Starts everything that may start now; returns how many nodes are left, and when something may start next. */
export async function startAllowed(run: Run): Promise<Extract<Claim, { type: 'none' }>> {
  const { work, admission, rechecks } = run;
  for (;;) {
    const claim = await work.claim((node) => {
      const left = rechecks.narrowed(node);
      return !left || isLeftPending(run, node) ? 0 : admission.admit(left);
    });
    if (claim.type === 'none') return claim;
    const { node } = claim;
    const left = rechecks.narrowed(node);
    if (!left) await finish(run, { node, end: 'blocked', problem: NOTHING_LEFT });
    else if (isLeftPending(run, node)) await finish(run, { node, end: 'pending' });
    else start(run, left);
  }
}

/** Some items were there after all, and what the others need did not succeed. */
const NOTHING_LEFT: Problem = { summary: 'blocked by what it depends on' };

function start(run: Run, node: PlannedNode): void {
  const { progress, recorder, steps, running, arrivals, waker, admission } = run;
  const results = Object.fromEntries(
    node.dependsOn.flatMap((address) => {
      const result = resultOf(recorder.state, address);
      return result ? [[address, result]] : [];
    }),
  );
  const job: Job = { node, ...progress.started(node), results };
  const controller = new AbortController();
  const { signal } = controller;
  const answered = () => {
    admission.answered(node);
    waker.wake();
  };
  let leave: (() => void) | undefined;
  // Promise.race would keep a reaction in memory for every attempt.
  const send = () =>
    new Promise<Facts | undefined>((resolve, reject) => {
      leave = () => resolve(undefined);
      admission.turns.attempt(() => steps[node.kind].run(job, signal, answered)).then(resolve, reject);
    });
  running.set(node.address, {
    node,
    abort: () => controller.abort(),
    cut() {
      controller.abort();
      leave?.();
    },
  });
  const arrive = (ended: AttemptEnd) => {
    arrivals.push({ node, ended });
    waker.wake();
  };
  attempt(run, { job, signal, send }).then(arrive, (error: unknown) => arrive({ type: 'crashed', error }));
}
