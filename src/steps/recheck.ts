import type { Facts } from '../model/facts.ts';
import type { Recheck } from '../model/plan.ts';
import { DENIED, findSurely } from './confirm-absence.ts';
import { type AskedPost, findMedia, strayProblem } from './find-media.ts';
import { answered, type Memo, waitForProbe } from './poll.ts';
import { requestFailed, unclear } from './request-facts.ts';

const FIRST: Memo = { polls: 0, seen: false };
export const AS_IT_WAS: Facts = { came: 'as-it-was', sent: 'yes' };

/**
 * The recheck of a post that an earlier run found failed or lost: if it is there after all, that counts. A 404 leaves
 * it as it is. Before it is paid for again, the service also has to show that it does not answer 404 for everything.
 */
export async function recheck({ was, before }: Recheck, asked: AskedPost): Promise<Facts> {
  const { io } = asked;
  const found = await (before === 'nothing' ? findMedia(asked) : findSurely(asked));
  switch (found.type) {
    case 'found': {
      const facts = answered(found.media, FIRST, asked);
      const isSame = facts.came === 'generation-failed' && was === 'failed';
      return isSame ? AS_IT_WAS : { ...facts, ...(found.learned && { learned: found.learned }) };
    }
    case 'absent':
      if (before === 'nothing') return AS_IT_WAS;
      // A refusal other than 404, or another post at its path, does not say that it is gone.
      if (found.refusal) return requestFailed(found.refusal, io);
      return found.stray ? unclear(strayProblem(found.stray)) : AS_IT_WAS;
    case 'denied':
      return unclear(DENIED);
    case 'busy':
      return waitForProbe(FIRST);
    case 'error':
      return requestFailed(found.error, io);
  }
}
