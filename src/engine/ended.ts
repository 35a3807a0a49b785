import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd, UnverifiedFile } from '../model/run-event.ts';

export interface Ended {
  readonly node: PlannedNode;
  readonly end: NodeEnd;
  readonly problem?: Problem | undefined;
  readonly files?: readonly string[];
  readonly unverified?: readonly UnverifiedFile[];
}

/** The end of everything that depends on a node which was not done; the problem names that node. */
export function passedOn({ node: { address }, end }: Ended): { end: NodeEnd; problem?: Problem } {
  if (end === 'unchanged') return { end };
  if (end === 'pending')
    return { end, problem: { summary: 'waits for what it depends on', detail: address } };
  if (end === 'put-off')
    return {
      end,
      problem: { summary: 'put off with what it depends on', detail: address, cause: 'upstream' },
    };
  const problem = { summary: 'blocked by what it depends on', detail: `${address}: ${end}` };
  return { end: 'blocked', problem };
}

/** A node that the plan itself blocks, because something that it needs failed or is unknown since an earlier run. */
export function blockedByPlan(node: PlannedNode): Ended {
  const [reason] = node.reasons;
  return { node, end: 'blocked', problem: { summary: reason?.summary ?? 'blocked' } };
}
