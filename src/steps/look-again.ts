import type { LookAgain } from '../model/plan.ts';
import type { Outcome } from '../model/step.ts';
import { repeatableFailed } from './classify-error.ts';
import { type Asked, type Confirmed, confirmAbsence, DENIED } from './confirm-absence.ts';
import { findMedia, learnedFrom } from './find-media.ts';
import { answered, type Memo, waitForProbe } from './poll.ts';
import { strayProblem } from './stray-media.ts';

const FIRST: Memo = { polls: 0, seen: false };

/**
 * One look for a post that an earlier run found failed or gone: what comes after all counts. A 404 leaves it as it is;
 * before it is paid for again, the service has to show as well that it is no 404 for everything.
 */
export async function lookAgain({ was, before }: LookAgain, asked: Asked): Promise<Outcome> {
  const { job, io } = asked;
  const found = await look(before, asked);
  switch (found.type) {
    case 'found': {
      const outcome = answered(found.media, FIRST, asked);
      const isSame = outcome.type === 'failed' && was === 'failed';
      return isSame ? { type: 'unchanged' } : { ...outcome, ...learnedFrom(found) };
    }
    case 'absent':
      if (before === 'nothing') return { type: 'unchanged' };
      // Another refusal than 404, or another post in its place, does not say that it is gone.
      if (found.refusal) return unanswered(repeatableFailed(found.refusal, job, io));
      return found.stray ? { type: 'put-off', problem: strayProblem(found.stray) } : { type: 'unchanged' };
    case 'denied':
      return { type: 'put-off', problem: DENIED };
    case 'busy':
      return waitForProbe(FIRST, asked);
    case 'error':
      return unanswered(repeatableFailed(found.error, job, io));
  }
}

async function look(before: LookAgain['before'], asked: Asked): Promise<Confirmed> {
  const found = await findMedia(asked.request, asked.item, asked);
  if (found.type !== 'absent' || found.refusal || found.stray || before === 'nothing') return found;
  return confirmAbsence(asked);
}

/** That the question was refused says nothing about the post. */
export function unanswered(outcome: Outcome): Outcome {
  return outcome.type === 'failed' ? { ...outcome, type: 'put-off' } : outcome;
}
