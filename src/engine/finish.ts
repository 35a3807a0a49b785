/** Ends nodes, and everything that ends with them. */
import type { PlannedNode } from '../model/plan.ts';
import type { Ended } from './ended.ts';
import { putOffEnd } from './outcome-table.ts';
import { columnOf, isLeftPending, type Run } from './run.ts';
import { STOPPED } from './stop.ts';

/** Adds nodes to the run, and ends those that are blocked already. */
export async function takeIn(
  run: Run,
  nodes: readonly PlannedNode[],
  ended: readonly Ended[],
): Promise<void> {
  const { rechecks, admission, quotas, ends } = run;
  rechecks.takeIn(nodes);
  await announce(run, ended);
  for (const node of nodes) {
    // An earlier run requested it, so it is being generated already.
    const isResumed = node.action === 'resume' && columnOf(run, node, 'no') === 'poll';
    if (isResumed && !ends.has(node.address)) admission.generating(node.address);
    const quota = quotas.of(node.kind);
    if (quota) await finish(run, { node, end: putOffEnd(columnOf(run, node, 'no')), problem: quota.problem });
  }
}

export async function finish(run: Run, ended: Ended, adds: readonly PlannedNode[] = []): Promise<void> {
  // If the key was refused, that is the cause for all nodes, whether they had started or not.
  const problem = ended.problem === STOPPED ? (run.errors.refused ?? STOPPED) : ended.problem;
  const all = await run.work.finish({ ...ended, problem }, adds);
  await takeIn(run, adds, all);
}

async function announce(run: Run, all: readonly Ended[]): Promise<void> {
  for (const ended of all) {
    const { node, end } = ended;
    const isUnpolled = end === 'pending' && isLeftPending(run, node);
    run.ends.set(node.address, end);
    run.progress.ended(ended);
    // A post that this run never polled is still being generated.
    if (!isUnpolled) run.admission.settled(node.address);
    for (const more of run.rechecks.ended(ended)) await finish(run, more);
  }
}
