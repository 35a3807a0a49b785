import { join } from 'node:path';
import { monthOf } from '../model/budget.ts';
import type { PlanCost } from '../model/plan-cost.ts';
import type { Refusal } from '../model/problem.ts';
import { finishPlan } from '../plan/make-plan.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Coverage, coverageOf } from '../views/coverage.ts';
import { type NextStep, nextSteps } from '../views/next-steps.ts';
import { countGone } from '../views/plan-summary.ts';
import { type SettledPeriod, settledPeriods } from '../views/settled.ts';
import { type NodeRow, listNodes } from '../views/list-nodes.ts';
import type { Accounts } from './account.ts';
import type { Campaign } from './campaign.ts';
import { missingOf } from './missing.ts';
import { draftCampaign } from './plan-campaign.ts';
import { type PlanWishes, wishesOf } from './plan-wishes.ts';
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
}

interface Asking {
  readonly accounts: Accounts;
  readonly nodes: 'all' | 'none';
}

/** Reads the state without its lock, and sends nothing. */
export async function statusOf(
  runtime: Runtime,
  loaded: Campaign,
  { accounts, nodes }: Asking,
): Promise<Result<CampaignStatus, Refusal>> {
  const looked = await lookAtCampaign(runtime, loaded);
  return looked.ok ? statusOver(runtime, looked.value, { accounts, nodes }) : looked;
}

/** The same for a state that was read already. */
export async function statusOver(
  runtime: Runtime,
  { campaign, open }: Looked,
  { accounts, nodes }: Asking,
): Promise<Result<CampaignStatus, Refusal>> {
  const { graph, manifest, target } = campaign;
  const { state, known } = open;
  const { verdicts } = campaign.decisions;
  const now = runtime.clock.now();
  const at = 'day' in campaign.today ? `--at ${campaign.today.day}` : '';
  // A budget that cannot be counted is an error of plan and apply; here the amounts are left out.
  const wallet = await accounts.walletOf(campaign, state, { excess: 'show', month: monthOf(now) });
  const purse = wallet.ok ? wallet.value : undefined;
  const draft = (wishes: Partial<PlanWishes>) => {
    const all = wishesOf(wishes);
    const missing = missingOf(runtime, campaign, { state, wishes: all });
    return draftCampaign(campaign, state, { now, wishes: all, folders: 'trust', purse, missing });
  };
  const plain = draft({});
  if (!plain.ok) return err(plain.error);
  const plan = finishPlan(plain.value, 'make');
  const isHere = ({ path }: { readonly path: string }) =>
    runtime.disk.stat(join(manifest.folder, path)).type === 'file';
  const coverage = coverageOf(graph, state, { plan, verdicts, isHere });
  const running = await campaign.store.holder();
  const finished = (wishes: Partial<PlanWishes>, replacements: 'make' | 'hold') => {
    const drafted = draft(wishes);
    return drafted.ok ? finishPlan(drafted.value, replacements) : undefined;
  };
  const prospects = () => ({
    apply: coverage.outdated ? finishPlan(plain.value, 'hold') : plan,
    yes: coverage.outdated ? plan : undefined,
    retry: coverage.failed > 0 ? finished({ retryFailed: '*' }, 'hold') : undefined,
    recreate: countGone(plan) > 0 ? finished({ recreateMissing: true }, 'make') : undefined,
  });
  return ok({
    campaign,
    known,
    coverage,
    settled: settledPeriods(graph, state, plan),
    cost: plan.cost,
    running,
    next: running === undefined ? nextSteps(prospects(), coverage, { target, at }) : [],
    nodes: nodes === 'all' ? listNodes(graph, state, { plan, verdicts, isHere }) : undefined,
  });
}
