import type { Witnesses } from '../../src/store/file/witnesses.ts';

/** For a state that is known nowhere else. */
export const NO_WITNESSES: Witnesses = {
  committed: () => Promise.resolve({ type: 'none' }),
  committedState: () => Promise.resolve(undefined),
  others: () => Promise.resolve({ found: [], warnings: [] }),
  taker: () => Promise.resolve(undefined),
};
