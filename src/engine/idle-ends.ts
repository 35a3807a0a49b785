/** Ends nodes that are not under way when the run decides about the rest. */
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { putOffEnd } from './outcome-table.ts';
import { columnOf, type Run } from './run.ts';
import { finish } from './finish.ts';
import { MEDIA_IN_FLIGHT, STOPPED } from './stop.ts';

export async function putOff(
  run: Run,
  which: (node: PlannedNode) => boolean,
  problem: Problem | undefined,
): Promise<void> {
  for (const { node, ready } of await run.work.idle()) {
    const end = ready ? putOffEnd(columnOf(run, node, 'no')) : 'put-off';
    if (which(node)) await finish(run, { node, end, problem });
  }
}

/** Nothing runs or is due: requests wait for posts that this run does not poll. */
export async function putOffStalled(run: Run): Promise<void> {
  const waiting = (await run.work.idle()).filter(({ ready }) => ready);
  if (waiting.length === 0) throw new Error('the nodes of the plan wait for each other');
  for (const { node } of waiting) await finish(run, { node, end: 'put-off', problem: MEDIA_IN_FLIGHT });
}

/** After a stop, posts that were requested are pending, and everything that another run can do is deferred. */
export async function endAfterStop(run: Run): Promise<void> {
  const { reasons } = run.stopping;
  const isRefused = ['unauthorized', 'misconfigured', 'unavailable'] as const;
  for (const { node, ready } of await run.work.idle()) {
    if (ready && columnOf(run, node, 'no') === 'poll') await finish(run, { node, end: 'pending' });
    else if (isRefused.some((reason) => reasons.has(reason)))
      await finish(run, { node, end: 'put-off', problem: STOPPED });
  }
}
