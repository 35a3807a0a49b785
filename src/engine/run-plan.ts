/**
 * Carries out a plan: start what is allowed, await one thing (an attempt that ended, a due time, a stop), settle it,
 * repeat. Waiting holds no slot, and only the waker waits.
 */
import type { PlannedNode } from '../model/plan.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { endAfterStop, putOffStalled, takeIn } from './finish.ts';
import { createRun, isBroughtIn, type Run, type RunOptions } from './run.ts';
import { endWhatWasOver, settle } from './settle.ts';
import { startAllowed } from './start.ts';

/** Runs until every node has ended or the run was stopped; rejects only for a bug, once all requests have ended. */
export async function runPlan(options: RunOptions) {
  const run = createRun(options);
  const silence = options.stop.onChange(() => run.waker.wake());
  try {
    await loop(run);
  } finally {
    silence();
  }
  const { errors, ends, added, stopping, work } = run;
  if (errors.bug) throw errors.bug.error;
  const unwritten = errors.write && { writeError: errors.write.error };
  const left = new Set((await work.idle()).map(({ node }) => node.address));
  const endOf = (node: PlannedNode): NodeEnd | undefined =>
    ends.get(node.address) ?? (isBroughtIn(run, node) && !left.has(node.address) ? 'done' : undefined);
  return { ends, endOf, added: [...added.values()], stopped: stopping.reasons, ...unwritten };
}

export type RunReport = Awaited<ReturnType<typeof runPlan>>;

async function loop(run: Run): Promise<void> {
  const { work, admission, stopping, halt, running, arrivals, ends } = run;
  const { nodes, ended } = await work.open();
  await takeIn(run, nodes, ended);
  await endWhatWasOver(run);
  for (;;) {
    for (const { node, ended: attempt } of arrivals.splice(0)) await settle(run, node, attempt);
    if (admission.takeNews()) await endWhatWasOver(run);
    if (admission.givesUpInMs() <= 0) stopping.enter('drain', 'unavailable');
    stopping.check();
    halt.check(running);
    const rest = stopping.phase === 'run' ? await startAllowed(run) : NOTHING_DUE;
    run.progress.load(admission.load);
    if (running.size === 0 && rest.left === 0) break;
    if (running.size === 0 && rest.ms === Number.POSITIVE_INFINITY) await putOffStalled(run);
    else await sleep(run, rest.ms);
  }
  // Nodes were deferred because nothing came back: the service is down, however early that was clear.
  if (admission.unavailable && [...ends.values()].includes('put-off')) stopping.reasons.add('unavailable');
  await endAfterStop(run);
}

/** After a stop nothing is started, and nothing becomes due any more. */
const NOTHING_DUE = { left: 0, ms: Number.POSITIVE_INFINITY };

async function sleep(run: Run, dueMs: number): Promise<void> {
  const { stopping, halt, admission, progress } = run;
  const givesUpMs = stopping.phase === 'run' ? admission.givesUpInMs() : Number.POSITIVE_INFINITY;
  const suspendMs = await run.waker.wait(Math.min(stopping.nextInMs, halt.nextInMs, dueMs, givesUpMs));
  if (suspendMs === undefined) return;
  admission.suspended(suspendMs);
  progress.suspended(suspendMs);
  run.onResume?.();
}
