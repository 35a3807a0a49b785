/** The words and symbols that the page has for a verdict; nothing is said by colour alone. */
import type { Judged } from './decide.ts';

export const JUDGED_WORDS: Record<Judged, { readonly symbol: string; readonly words: string }> = {
  undecided: { symbol: '○', words: 'undecided' },
  approved: { symbol: '✓', words: 'approved' },
  rejected: { symbol: '✗', words: 'rejected' },
};

/** Of a post that is done: its results are not downloaded, or they are in a storage. */
export const NO_FILE = 'There is no file of it here.';
