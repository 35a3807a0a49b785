import type { RunState, TakeState } from '../../model/run-state.ts';
import { type Verdict, unknown } from '../check.ts';

/**
 * The verdict about something that only a run that costs money shows: when that is, and which setting to use if it goes
 * wrong.
 */
export function notSeen(when: string, setting?: string): Verdict {
  return unknown(`not seen before the first ${when}${setting === undefined ? '' : ` (${setting})`}`);
}

export function takesOf({ media }: RunState): TakeState[] {
  return [...media.values()].flatMap(({ takes }) => takes);
}
