import type { Fault } from '../orders/order.ts';

/** What goes wrong with the making of one post; decided when it is ordered, and kept with it. */
export type OrderedFault = Omit<Extract<Fault, { fault: 'generation' }>, 'fault'>;

/** A post that goes back is running again for so many answers after its first success. */
const ANSWERS_BACK = 2;

/** What a medium is said to be, whatever it is; `answer` counts those that were given of it, this one included. */
export type Appearance = 'as-it-is' | 'running' | 'gone' | 'unknown-status';

/** How a medium looks in an answer. `answer` counts from 1; for one that goes back, from its first success. */
export function appearance(fault: OrderedFault | undefined, answer: number): Appearance {
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
