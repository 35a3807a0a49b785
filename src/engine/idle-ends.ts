/** How nodes end that are not under way when the rest of a run decides about them. */
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Ended } from './ended.ts';
import { isPoll } from './looks.ts';
import { putOffEnd } from './node-end.ts';
import { MEDIA_IN_FLIGHT, STOPPED, type StopReason } from './stop.ts';
import type { Work } from './work-queue.ts';

export interface IdleEnds {
  putOff(which: (node: PlannedNode) => boolean, problem: Problem | undefined): void;
  /** Nothing runs or is due: requests that wait for posts which nobody polls in this run. */
  putOffStalled(): void;
  /** After a stop: posts that were requested are pending, and what no later request could save is put off. */
  endAfterStop(reasons: ReadonlySet<StopReason>): void;
}

export function createIdleEnds({ work, finish }: { work: Work; finish: (ended: Ended) => void }): IdleEnds {
  return {
    putOff(which, problem) {
      for (const { node, ready } of work.idle()) {
        if (which(node)) finish({ node, end: ready ? putOffEnd(node) : 'put-off', problem });
      }
    },
    putOffStalled() {
      const waiting = work.idle().filter(({ ready }) => ready);
      if (waiting.length === 0) throw new Error('the nodes of the plan wait for each other');
      for (const { node } of waiting) finish({ node, end: 'put-off', problem: MEDIA_IN_FLIGHT });
    },
    endAfterStop(reasons) {
      const refused = reasons.has('unauthorized') || reasons.has('unavailable');
      for (const { node, ready } of work.idle()) {
        if (ready && isPoll(node)) finish({ node, end: 'pending' });
        else if (refused) finish({ node, end: 'put-off', problem: STOPPED });
      }
    },
  };
}
