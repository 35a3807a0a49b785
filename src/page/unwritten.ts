/** What was decided on the page and is not in the file yet. Pure. */
import { idKey } from '../util/id-key.ts';
import type { ReportData } from '../views/report-data.ts';
import { type Decision, type Decisions, decisionsIn, isSame } from './decide.ts';

/** How many media have another verdict or note here than in the file. */
export function countUnwritten({ all, written, drafts }: Decisions): number {
  const keys = new Set([...all.keys(), ...written.keys(), ...drafts.keys()]);
  return [...keys].filter((key) => drafts.has(key) || all.get(key) !== written.get(key)).length;
}

/** The file has exactly these now: it was exported. */
export function markExported(decisions: Decisions): Decisions {
  return { ...decisions, written: decisions.all };
}

/** A verdict, or null for one that was taken back. */
export interface DecisionChange {
  readonly post: string;
  readonly media: string;
  readonly decision: Decision | null;
}

/** What the file does not have yet. */
export function unwrittenChanges({ all, written }: Decisions): DecisionChange[] {
  const keys = new Set([...written.keys(), ...all.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [written.get(key), all.get(key)];
    const about = is ?? was;
    return is === was || !about ? [] : [{ post: about.post, media: about.media, decision: is ?? null }];
  });
}

/** The file has these changes now; meanwhile more may have been decided. */
export function markWritten(decisions: Decisions, changes: readonly DecisionChange[]): Decisions {
  const written = new Map(decisions.written);
  for (const { media, decision } of changes) {
    written.delete(idKey(media));
    if (decision) written.set(idKey(media), decision);
  }
  return { ...decisions, written };
}

/** The file has changed: what was decided here and is not written yet stays, everything else is as in `data`. */
export function rebase(decisions: Decisions, data: ReportData): Decisions {
  const written = decisionsIn(data);
  const all = new Map(written);
  for (const key of new Set([...decisions.all.keys(), ...decisions.written.keys()])) {
    const mine = decisions.all.get(key);
    if (mine === decisions.written.get(key) || isSame(mine, written.get(key))) continue;
    all.delete(key);
    if (mine) all.set(key, mine);
  }
  return { ...decisions, all, written };
}
