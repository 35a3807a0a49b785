/** What the other manifests of a command have spent of one account. */
import { type Spending, spendingOf } from '../log/spending.ts';
import { type Budget, NOTHING_SPENT } from '../model/budget.ts';
import type { Campaign } from './campaign.ts';
import { readState } from './read-state.ts';
import type { Runtime } from './runtime.ts';

/** One manifest of a command, as it counts for another one. */
export interface Fellow {
  readonly account: string;
  readonly file: string;
  readonly budget: Budget | undefined;
  readonly spending: Spending;
  /** Of its log; absent without one. */
  readonly lineage: string | undefined;
  /** The run that is writing its state, and may be spending. */
  readonly holder: string | undefined;
}

/** A manifest whose state is looked at for each wallet: another command may spend at the same time. */
export interface Met extends Pick<Fellow, 'account' | 'file' | 'budget'> {
  readonly place: Pick<Campaign, 'store' | 'target'>;
  /** What the state said when it looked like this: a log only grows, or becomes another file. */
  last?: { readonly look: string; readonly spending: Spending; readonly lineage: string | undefined };
}

/** Looks for a holder before it reads: what a run spends that begins later, that run counts against ours. */
export async function readFellow(
  { disk }: Pick<Runtime, 'disk'>,
  met: Met,
  told: Partial<Spending> = {},
): Promise<Fellow> {
  const { account, file, budget, place } = met;
  const holder = await place.store.holder();
  const log = disk.stat(place.store.name);
  const look = JSON.stringify(log);
  if (log.type === 'file' && met.last?.look === look)
    return { account, file, budget, ...met.last, spending: { ...met.last.spending, ...told }, holder };
  const opened = await readState(place);
  // One that could be read before is unreadable only while somebody changes it.
  const nobody = { account, file, budget, spending: NOTHING, lineage: undefined };
  if (!opened.ok) return { ...nobody, holder: holder ?? 'another run' };
  const spending = spendingOf(opened.value.state, budget?.prices ?? {});
  const lineage = opened.value.header?.lineage;
  met.last = { look, spending, lineage };
  return { account, file, budget, spending: { ...spending, ...told }, lineage, holder };
}

const NOTHING: Spending = { months: new Map(), run: NOTHING_SPENT };
