import type { RunState, TakeState } from '../../model/run-state.ts';
import { type Verdict, unknown } from '../check.ts';

/** What only a run that costs something shows: when it is seen, and the setting for the case that it goes wrong. */
export function notSeen(when: string, setting?: string): Verdict {
  return unknown(`not seen before the first ${when}${setting === undefined ? '' : ` (${setting})`}`);
}

/** All takes of all posts. */
export function takesOf({ media }: RunState): TakeState[] {
  return [...media.values()].flatMap(({ takes }) => takes);
}
