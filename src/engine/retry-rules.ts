import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Outcome } from '../model/step.ts';
import { fullJitter } from '../util/backoff.ts';

export type Wait = Extract<Outcome, { type: 'wait' }>;

const CREATE_ATTEMPTS = 3;
const REPEATABLE_ATTEMPTS = 6;
/** Work that the service wants to see later than this is left to another run. */
const LONGEST_WAIT_MS = 300_000;

/** Whether the service wants this kind left alone for longer than a run waits: an exhausted quota. */
export function isQuota(outcome: Outcome, now: number): boolean {
  return outcome.type === 'wait' && outcome.why === 'throttled' && isTooLong(outcome, now);
}

function isTooLong({ until }: Wait, now: number): boolean {
  return until - now > LONGEST_WAIT_MS;
}

/**
 * What a step's wish to wait comes to: the wait (a throttled one jittered), `put-off`, or, where repeating was tried
 * often enough, `failed`. A poll is never refused: its post is paid. A look for a post that had failed is not repeated
 * for ever: the next run looks as well.
 */
export function afterWait(options: {
  node: PlannedNode;
  attempt: number;
  wait: Wait;
  now: number;
  random: () => number;
  /** Whether the budget paid for a retry. */
  isPaid: boolean;
}): Outcome {
  const { node, attempt, wait, now, random, isPaid } = options;
  const problem: Problem = wait.problem ?? { summary: 'the service did not answer' };
  if (wait.why !== 'poll' && isTooLong(wait, now)) return { type: 'put-off', problem };
  const isTake = kindHas(node, 'stored', 'take');
  const polls = isTake && !node.again;
  const last = attempt >= (isCreate(node) ? CREATE_ATTEMPTS : REPEATABLE_ATTEMPTS);
  switch (wait.why) {
    case 'poll':
      return wait;
    case 'throttled': {
      if (last && !polls) return { type: 'put-off', problem };
      const jitter = fullJitter({ attempt, baseMs: 1000, capMs: 20_000, random });
      return { ...wait, until: Math.max(wait.until, now) + jitter };
    }
    case 'retry':
      if (polls) return wait;
      // What was never reached has not said no, and a post is as it is, whether it can be asked for or not.
      if (last) {
        const isOpen = isCreate(node) || wait.unsent || isTake;
        return { type: isOpen ? 'put-off' : 'failed', problem };
      }
      return isPaid ? wait : { type: 'put-off', problem };
  }
}
