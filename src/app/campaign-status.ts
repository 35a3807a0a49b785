import type { PlanCost } from '../model/plan-cost.ts';
import type { Refusal } from '../model/problem.ts';
import { ok, type Result } from '../util/result.ts';
import type { Coverage } from '../views/coverage.ts';
import type { NextStep } from '../views/next-steps.ts';
import { type SettledPeriod, settledPeriods } from '../views/settled.ts';
import { type NodeRow, listNodes } from '../views/list-nodes.ts';
import { withoutUnderWay } from '../views/without-under-way.ts';
import type { Accounts } from './account.ts';
import type { Campaign } from './campaign.ts';
import type { Followed } from './follow-campaign.ts';
import { type Outlook, outlookOf, unfinishedDestroy } from './outlook.ts';
import { lookAtCampaign, type Looked } from './read-state.ts';
import type { Runtime } from './runtime.ts';

/** How far a campaign is, and what to do next. */
export interface CampaignStatus {
  readonly campaign: Campaign;
  /** Nodes that the state has. */
  readonly known: number;
  readonly coverage: Coverage;
  readonly settled: readonly SettledPeriod[];
  /** Absent without a budget. */
  readonly cost: PlanCost | undefined;
  /** What works on it now, in words. */
  readonly running: string | undefined;
  /** Empty while something works on it: that does what can be done. */
  readonly next: readonly NextStep[];
  /** All nodes, where they are asked for. */
  readonly nodes: readonly NodeRow[] | undefined;
  /** What it was found from. */
  readonly outlook: Outlook;
}

interface Asking {
  readonly accounts: Accounts;
  readonly nodes: 'all' | 'none';
  /** What was read before, of somebody who looks again and again. */
  readonly following?: Pick<Followed, 'read' | 'isHere'> | undefined;
}

/** Reads the state without its lock, and sends nothing. */
export async function statusOf(
  runtime: Runtime,
  loaded: Campaign,
  asking: Asking,
): Promise<Result<CampaignStatus, Refusal>> {
  const looked = await lookAtCampaign(runtime, loaded, asking.following?.read);
  if (!looked.ok) return looked;
  const open = await asAtWork(looked.value);
  return statusOver(runtime, { ...looked.value, open }, asking);
}

/** While a run is at work, what it waits for is open, and no question to anybody. */
export async function asAtWork({ campaign, open }: Looked): Promise<Looked['open']> {
  const { unended, state } = open;
  if (!unended || (await campaign.store.holder()) === undefined) return open;
  return { ...open, state: withoutUnderWay(state, unended.startedAt) };
}

/** The same for a state that was read already. */
export async function statusOver(
  runtime: Runtime,
  { campaign, open }: Looked,
  { accounts, nodes, following }: Asking,
): Promise<Result<CampaignStatus, Refusal>> {
  const { state, known, runs } = open;
  const destroying = unfinishedDestroy(runs);
  const isHere = following?.isHere;
  const outlook = await outlookOf(runtime, campaign, state, { accounts, destroying, isHere });
  if (!outlook.ok) return outlook;
  const { known: looked, coverage, next } = outlook.value;
  const { plan } = looked;
  const { graph } = campaign;
  const running = await campaign.store.holder();
  return ok({
    campaign,
    known,
    coverage,
    settled: settledPeriods(graph, state, plan),
    cost: plan.cost,
    running,
    next: running === undefined ? next() : [],
    nodes: nodes === 'all' ? listNodes(graph, state, looked) : undefined,
    outlook: outlook.value,
  });
}
