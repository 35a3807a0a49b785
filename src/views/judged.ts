import { currentTake, type MediaState } from '../model/run-state.ts';
import { type Verdict, type Verdicts, verdictAbout } from '../model/verdict.ts';

export type Judged = Verdict['verdict'] | 'undecided';

/** What was decided about the current take of a finished post. */
export function judgedAs(media: MediaState, verdicts: Verdicts): Judged {
  const id = currentTake(media)?.result?.id;
  return (id !== undefined && verdictAbout(id, verdicts)?.verdict) || 'undecided';
}

export function countJudged(all: Iterable<Judged>): Record<Judged, number> {
  const counts = { approved: 0, rejected: 0, undecided: 0 };
  for (const one of all) counts[one] += 1;
  return counts;
}
