/** Carries out a plan that was decided, within its budget. */
import path from 'node:path';
import { spendingOf } from '../log/spending.ts';
import { sum } from '../model/budget.ts';
import { amountOf } from '../model/money.ts';
import { sharedBudget, spendingAfter } from './account.ts';
import { carryOut } from './carry-out.ts';
import type { Decided, Deciding, UnderLock } from './decide-plan.ts';
import type { RunEnd } from './run-end.ts';
import type { CarryOutOptions, Parallel, PlannedRun } from './run-nodes.ts';
import type { Runtime } from './runtime.ts';
import { createSpendingGuard } from './spending-guard.ts';
import { noteSpent } from './spent-note.ts';

export interface Spending
  extends Pick<UnderLock, 'campaign' | 'open'>,
    Decided,
    Pick<PlannedRun, 'apiKey' | 'storage' | 'hold'> {}

type Options = CarryOutOptions & Pick<Deciding, 'wishes' | 'consent' | 'savedPlan' | 'accounts'>;

/** Carries it out, watches what it spends, and tells those that share its budget. */
export async function spendPlan(
  runtime: Runtime,
  { campaign, open, apiKey, plan, wallet, storage, hold }: Spending,
  options: Options,
): Promise<RunEnd> {
  const { recorder } = open;
  const guard = wallet && createSpendingGuard(wallet, runtime.clock);
  const before = wallet && spendingOf(recorder.state, wallet.prices);
  if (wallet && plan.newPosts)
    await noteSpent(campaign, spendingAfter(recorder.state, wallet, { plan, now: runtime.clock.now() }));
  const parallel = await parallelOf({ campaign, open, apiKey, wallet }, options);
  const { lineage } = open.header;
  const run = { campaign, plan, recorder, head: open.head, apiKey, guard, storage, hold, lineage, parallel };
  const carried = await carryOut(runtime, run, options);
  if (wallet && guard && before) {
    const { months } = spendingOf(recorder.state, wallet.prices);
    if (plan.newPosts) await noteSpent(campaign, { months });
    options.accounts.spentBy(campaign, { run: sum([before.run, guard.requested]) });
  }
  const isPriced = guard && typeof plan.cost?.amount === 'number';
  return isPriced ? { ...carried, cost: amountOf(guard.requested.cost) } : carried;
}

async function parallelOf(
  { campaign, open, apiKey, wallet }: Omit<Spending, 'plan' | 'storage' | 'hold'>,
  options: Options,
): Promise<Parallel | undefined> {
  const { store, stateFile } = campaign;
  const { share, count: counting, header } = open;
  const { workers } = store;
  if (!share || !workers) return undefined;
  const { subjectOf } = await import('./run-subject.ts');
  const subject = () => subjectOf(campaign, apiKey, options);
  const { lineage } = header;
  // Workers were started elsewhere.
  const pointer = path.resolve(stateFile);
  const budget = () => sharedBudget({ lineage, state: open.recorder.state }, wallet);
  return { share, count: counting, workers, pointer, lineage, budget, subject };
}
