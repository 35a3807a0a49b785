import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { putOffEnd } from './outcome-table.ts';
import { columnOf, isBroughtIn, isLeftPending, type Run } from './run.ts';
import { STOPPED } from './stopping.ts';
import type { Ended } from './work-source.ts';

/** Takes nodes into the run, and ends those that are blocked already. */
export async function takeIn(
  run: Run,
  nodes: readonly PlannedNode[],
  ended: readonly Ended[],
): Promise<void> {
  const { rechecks, admission, ends } = run;
  rechecks.takeIn(nodes);
  for (const node of nodes) if ('takes' in node) run.bringing.add(node.address);
  for (const each of ended) await announce(run, each);
  for (const node of nodes) {
    // An earlier run requested it, so it is being generated already.
    const isResumed = node.action === 'resume' && columnOf(run, node) === 'poll';
    if (isResumed && !ends.has(node.address)) admission.generating(node.address);
  }
}

/** The same during the run, when a quota may be used up already. */
export async function takeInAdded(
  run: Run,
  adds: readonly PlannedNode[],
  ended: readonly Ended[],
): Promise<void> {
  await takeIn(run, adds, ended);
  for (const node of adds) {
    const quota = run.admission.quotaOf(node.kind);
    if (quota) await finish(run, { node, end: putOffEnd(columnOf(run, node)), problem: quota.problem });
  }
}

export async function finish(run: Run, ended: Ended, adds: readonly PlannedNode[] = []): Promise<void> {
  // If the key was refused, that is the cause for all nodes, whether they had started or not.
  const problem = ended.problem === STOPPED ? (run.errors.refused ?? STOPPED) : ended.problem;
  const all = await run.work.finish({ ...ended, problem }, adds);
  await takeInAdded(run, adds, all);
}

async function announce(run: Run, ended: Ended): Promise<void> {
  const { node, end } = ended;
  const isUnpolled = end === 'pending' && isLeftPending(run, node);
  if (end !== 'done' || !isBroughtIn(run, node)) run.ends.set(node.address, end);
  run.progress.ended(ended);
  // A post that this run never polled is still being generated.
  if (!isUnpolled) run.admission.settled(node, run.added.has(node.address));
  for (const more of run.rechecks.ended(ended)) await finish(run, more);
}

/** Ends these nodes, where they are not under way. */
export async function putOff(
  run: Run,
  which: (node: PlannedNode) => boolean,
  problem: Problem,
): Promise<void> {
  for (const { node, ready } of await run.work.idle()) {
    const end = ready ? putOffEnd(columnOf(run, node)) : 'put-off';
    if (which(node)) await finish(run, { node, end, problem });
  }
}

export const MEDIA_IN_FLIGHT: Problem = {
  summary: 'too many posts are being generated',
  detail: 'limits.media_in_flight posts are being generated, and this run does not wait for them',
};

/** Nothing runs or is due: requests wait for posts that this run does not poll. */
export async function putOffStalled(run: Run): Promise<void> {
  const waiting = (await run.work.idle()).filter(({ ready }) => ready);
  if (waiting.length === 0) throw new Error('the nodes of the plan wait for each other');
  for (const { node } of waiting) await finish(run, { node, end: 'put-off', problem: MEDIA_IN_FLIGHT });
}

/** After a stop, posts that were requested are pending, and everything that another run can do is deferred. */
export async function endAfterStop(run: Run): Promise<void> {
  const isRefused = REFUSALS.some((reason) => run.stopping.reasons.has(reason));
  for (const { node, ready } of await run.work.idle()) {
    if (ready && columnOf(run, node) === 'poll') await finish(run, { node, end: 'pending' });
    else if (isRefused) await finish(run, { node, end: 'put-off', problem: STOPPED });
  }
}

const REFUSALS = ['unauthorized', 'misconfigured', 'unavailable'] as const;
