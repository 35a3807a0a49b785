import type { Fault } from '../fault-rules/fault-rule.ts';

/** How the generation of one post goes wrong. It is decided when the post is requested, and stored with it. */
export type PlannedFault = Omit<Extract<Fault, { fault: 'generation' }>, 'fault'>;

/** A post with `goes-back` is running again for this many answers after its first success. */
const ANSWERS_BACK = 2;

/**
 * What an answer says about a medium, whatever its real state is. `answer` counts the answers about it, this one
 * included.
 */
export type Appearance = 'as-it-is' | 'running' | 'gone' | 'unknown-status';

/** `answer` counts from 1; with `goes-back`, from the first success on. */
export function appearance(fault: PlannedFault | undefined, answer: number): Appearance {
  switch (fault?.how) {
    case 'stuck':
      return 'running';
    case 'unknown-status':
      return 'unknown-status';
    case 'goes-back':
      return answer > 1 && answer <= 1 + ANSWERS_BACK ? 'running' : 'as-it-is';
    case 'disappears':
      return answer > 1 ? 'gone' : 'as-it-is';
    case 'fails':
    case undefined:
      return 'as-it-is';
  }
}
