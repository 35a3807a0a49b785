/** How a campaign stands, and what each command would do about it: for `status`, and for the end of every run. */
import { resolve } from 'node:path';
import { monthOf } from '../model/budget.ts';
import { withoutStorage } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { OutputFile } from '../model/payload.ts';
import type { PlanDraft } from '../plan/draft-plan.ts';
import { holdersOf } from '../plan/decide-post.ts';
import { finishPlan } from '../plan/make-plan.ts';
import { planDestroy } from '../plan/plan-destroy.ts';
import { err, ok, type Result } from '../util/result.ts';
import { whyOverBudget } from '../views/budget-words.ts';
import { type Coverage, coverageOf } from '../views/coverage.ts';
import { type Destroying, type NextStep, nextSteps, type Prospect } from '../views/next-steps.ts';
import type { RunEnd } from './run-end.ts';
import { countGone } from '../views/plan-summary.ts';
import { type Known, wantedPosts } from '../views/wanted-posts.ts';
import type { Accounts } from './account.ts';
import type { Campaign } from './campaign.ts';
import { missingOf } from './missing.ts';
import { canAsk } from './find-created.ts';
import { draftCampaign } from './plan-campaign.ts';
import { type PlanWishes, wishesOf } from './plan-wishes.ts';
import type { Runtime } from './runtime.ts';

export interface Outlook {
  /** What the plan was made over, and which of its posts each item is. */
  readonly matched: PlanDraft['matched'];
  /** With a plan of all that would be asked about; for other views of the same. */
  readonly known: Known;
  readonly coverage: Coverage;
  readonly next: () => NextStep[];
}

export interface Looking {
  readonly accounts: Accounts;
  /** What of the campaign it is about; all by default. */
  readonly selection?: Selected | undefined;
  /** The last run, where it was a `destroy` that left something. */
  readonly destroying?: string | undefined;
  /** Whether a downloaded file is where it was put; by default the disk is asked. */
  readonly isHere?: ((file: OutputFile) => boolean) | undefined;
}

export interface Selected {
  readonly wishes: Pick<PlanWishes, 'only' | 'exclude' | 'among'>;
  /** The flags that say so. */
  readonly words: string;
}

export function selected({ only, exclude, among }: PlanWishes): Selected['wishes'] {
  return { only, exclude, ...(among && { among }) };
}

export async function outlookOf(
  runtime: Pick<Runtime, 'clock' | 'disk'>,
  campaign: Campaign,
  state: RunState,
  { accounts, selection, destroying, isHere = hereOn(runtime, campaign) }: Looking,
): Promise<Result<Outlook, Refusal>> {
  const { graph, target, today } = campaign;
  const now = runtime.clock.now();
  // A budget that cannot be counted is an error of plan and apply; here the amounts are left out.
  const counted = { excess: 'show', month: monthOf(now), by: 'the next command' } as const;
  const wallet = await accounts.walletOf(campaign, state, counted);
  const purse = wallet.ok ? wallet.value : undefined;
  const draft = (wishes: Partial<PlanWishes>, excess: 'show' | 'rest' = 'show') => {
    const all = wishesOf({ ...selection?.wishes, ...wishes });
    const missing = missingOf(runtime, campaign, { state, wishes: all });
    const left = purse && { ...purse, excess };
    return draftCampaign(campaign, state, { now, wishes: all, folders: 'trust', purse: left, missing });
  };
  const plain = draft({});
  if (!plain.ok) return err(plain.error);
  const plan = finishPlan(plain.value, 'make');
  const looked = { plan, verdicts: campaign.decisions.verdicts, isHere };
  const known = { ...looked, wanted: wantedPosts(graph, state, looked) };
  const coverage = coverageOf(graph, state, known);
  const prospect = (
    wishes: Partial<PlanWishes>,
    replacements: 'make' | 'hold',
    made?: Plan,
  ): Prospect | undefined => {
    const finished = (excess: 'show' | 'rest') => {
      const drafted = draft(wishes, excess);
      return drafted.ok ? finishPlan(drafted.value, replacements) : undefined;
    };
    const whole = made ?? finished('show');
    if (!whole) return undefined;
    return { plan: whole, fitting: whyOverBudget(whole) === undefined ? undefined : finished('rest') };
  };
  const next = () => {
    const isHeld =
      coverage.outdated > 0 ||
      plain.value.posts.some(({ items }) => items.some((item) => holdersOf(item).length));
    const apply = isHeld ? finishPlan(plain.value, 'hold') : plan;
    const prospects = {
      apply: prospect({}, 'hold', apply) ?? { plan: apply },
      yes: isHeld ? prospect({}, 'make', plan) : undefined,
      retry: coverage.failed > 0 ? prospect({ retryFailed: '*' }, 'hold') : undefined,
      recreate: countGone(plan) > 0 ? prospect({ recreateMissing: true }, 'make') : undefined,
      destroy: destroying === undefined ? undefined : leftToDestroy(destroying, campaign, state),
    };
    const at = 'day' in today ? `--at ${today.day}` : '';
    return nextSteps(prospects, coverage, {
      target,
      at,
      only: selection?.words ?? '',
      canAsk: canAsk(campaign, state),
    });
  };
  return ok({ matched: plain.value.matched, known, coverage, next });
}

/** With a storage, a machine needs no file. */
function hereOn({ disk }: Pick<Runtime, 'disk'>, { manifest, files }: Campaign) {
  if (files !== undefined) return () => true;
  return ({ path }: OutputFile) => disk.stat(resolve(manifest.folder, path)).type === 'file';
}

function leftToDestroy(command: string, { graph, target }: Campaign, state: RunState): Destroying {
  const flags = command.includes('--files') ? '--files' : '';
  return { plan: planDestroy(graph, state, flags ? 'go' : 'stay'), target: withoutStorage(target), flags };
}

/** The last run that makes or deletes, if it deletes and has not come to its end. */
export function unfinishedDestroy(runs: readonly RunSummary[]): string | undefined {
  const last = runs.findLast(({ command }) => /^(apply|destroy)\b/.test(command));
  return last?.command.startsWith('destroy') && last.end?.exitCode !== EXIT.ok ? last.command : undefined;
}

/**
 * What comes after a run; nothing where all is done, where others carry it on, or where the disk or the state has to be
 * mended first.
 */
export async function stepsAfter(
  { exit, leftTo }: Pick<RunEnd, 'exit' | 'leftTo'>,
  runtime: Pick<Runtime, 'clock' | 'disk'>,
  looking: Looking & { readonly campaign: Campaign; readonly state: RunState },
): Promise<readonly NextStep[]> {
  if (leftTo || !hasSteps(exit)) return [];
  const outlook = await outlookOf(runtime, looking.campaign, looking.state, looking);
  return outlook.ok ? outlook.value.next() : [];
}

export function hasSteps(exit: ExitCode): boolean {
  return !WITHOUT_STEPS.has(exit);
}

const WITHOUT_STEPS: ReadonlySet<ExitCode> = new Set([EXIT.ok, EXIT.bug, EXIT.cannotWrite, EXIT.badState]);
