/** Decisions of a file that is opened on the page, and those that are there already. */
import { isDecidedLater } from '../model/verdict.ts';
import { idKey } from '../util/id-key.ts';
import { type ByMedium, type Decision, type Decisions, isSame } from './decide.ts';

/** How many verdicts of the file were new here, replaced one, gave way to a newer one, and say what was known. */
export interface Merged {
  readonly decisions: Decisions;
  readonly added: number;
  readonly replaced: number;
  readonly older: number;
  readonly same: number;
}

/**
 * Of two verdicts about a medium the one with the later time counts. Where a time is missing, what was decided on this page
 * and is in no file counts more than the file, and the file more than what the page was made with. All that the file has
 * stays, also what is about media that this page does not show.
 */
export function mergeDecisions(decisions: Decisions, file: readonly Decision[]): Merged {
  const counts = { added: 0, replaced: 0, older: 0, same: 0 };
  const written = lastOfEach(file);
  const all = new Map(decisions.all);
  const drafts = new Map(decisions.drafts);
  const before: Decisions['undo'][number]['before'][number][] = [];
  for (const [key, theirs] of written) {
    const mine = all.get(key);
    const outcome = compare(theirs, mine, mine !== decisions.written.get(key));
    counts[outcome] += 1;
    // The same one, so that it counts as written.
    if (outcome === 'same') all.set(key, theirs);
    if (outcome === 'same' || outcome === 'older') continue;
    before.push({ key, decision: mine, draft: drafts.get(key) });
    all.delete(key);
    all.set(key, theirs);
    drafts.delete(key);
  }
  const posts = before.flatMap(({ key }) => written.get(key)?.post ?? []);
  const undo = before.length ? [...decisions.undo, { label: 'Merged', posts, before }] : decisions.undo;
  return { decisions: { all, drafts, undo, written }, ...counts };
}

function lastOfEach(file: readonly Decision[]): ByMedium {
  const last = new Map<string, Decision>();
  for (const one of file) {
    const key = idKey(one.media);
    if (isDecidedLater(last.get(key)?.at, one.at)) continue;
    last.delete(key);
    last.set(key, one);
  }
  return last;
}

function compare(theirs: Decision, mine: Decision | undefined, isMineUnwritten: boolean) {
  // Cleared on this page, and no file knows that.
  if (!mine) return isMineUnwritten ? 'older' : 'added';
  if (isSame(theirs, mine)) return 'same';
  const [theirTime, myTime] = [Date.parse(theirs.at ?? ''), Date.parse(mine.at ?? '')];
  if (Number.isNaN(theirTime) || Number.isNaN(myTime)) return isMineUnwritten ? 'older' : 'replaced';
  return theirTime >= myTime ? 'replaced' : 'older';
}
