/**
 * Decides which plan an apply carries out, and who agreed to what it pays for. The question is asked without the lock,
 * so that a run on another machine or from cron does not wait for a person. The agreement is about the plan that was
 * shown: under the lock the plan is made again, and if it differs, the question is asked again.
 */
import { monthOf } from '../model/budget.ts';
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Spending } from '../log/spending.ts';
import type { RunState } from '../model/run-state.ts';
import { acceptHeld } from '../plan/accept.ts';
import { finishPlan } from '../plan/make-plan.ts';
import type { WritableState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Accounts, spendingAfter, type Wallet } from './account.ts';
import { outputsRefused } from './output-index.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { draftCampaign } from './plan-campaign.ts';
import { missingOf } from './missing.ts';
import type { PlanWishes } from './plan-wishes.ts';
import { type Payable, payable, type Proposal } from './payable.ts';
import { leaveOutResults, readWritable, unendedWarnings } from './read-state.ts';
import { type Runtime, timestamp } from './runtime.ts';
import { hashPlan, inPeriodsOf, loadSavedPlan } from './saved-plan.ts';
import { checkVerdicts } from './verdicts.ts';

/** All of a plan, or all but the finished posts, which are accepted or left; where they are left, nothing is deleted. */
export type Answer = 'all' | 'keep' | 'leave';

export interface PayQuestion {
  readonly campaign: Campaign;
  readonly plan: Plan;
  readonly posts: Payable;
  readonly known: number;
  readonly warnings: readonly string[];
}

export type Ask = (question: PayQuestion) => Promise<Result<Answer, Refusal>>;

export interface Deciding {
  readonly wishes: PlanWishes;
  readonly savedPlan?: string | undefined;
  /** `everything`: finished posts are requested again where their inputs changed, and what is pruned is deleted; `first-requests`: they are left. */
  readonly consent: 'everything' | 'first-requests' | Ask;
  readonly accounts: Accounts;
  /** What was agreed to before, about this plan among others. */
  readonly agreed?: Agreement | undefined;
}

/** The plan to carry out, and what it may spend. */
export interface Decided {
  readonly plan: Plan;
  readonly wallet: Wallet | undefined;
}

export interface Agreement {
  readonly answer: Answer;
  readonly hash: string;
}

/** Asks if something would be paid for and somebody is there; undefined where nothing is asked, or not yet. */
export async function askBeforehand(
  runtime: Runtime,
  loaded: Campaign,
  deciding: Deciding,
): Promise<Result<Agreement | undefined, Refusal>> {
  const { consent, savedPlan } = deciding;
  if (typeof consent === 'string' || savedPlan !== undefined) return ok(undefined);
  const asking = await questionBeforehand(runtime, loaded, deciding);
  if (!asking.ok || !asking.value) return asking as Result<undefined, Refusal>;
  const { question, hash } = asking.value;
  const answer = await consent(question);
  return answer.ok ? ok({ answer: answer.value, hash }) : answer;
}

/** A question, and what the plans are that an answer would be about. */
export interface Asking {
  readonly question: PayQuestion;
  readonly hash: string;
  /** Without and with the changed finished posts and the deletions. */
  readonly left: Plan;
  readonly whole: Plan;
  /** With the whole plan carried out. */
  readonly spending: Spending | undefined;
}

export async function questionBeforehand(
  runtime: Runtime,
  loaded: Campaign,
  deciding: Deciding,
): Promise<Result<Asking | undefined, Refusal>> {
  // Opening the state reports the holder of the lock, or waits for it.
  if (await loaded.store.holder()) return ok(undefined);
  const read = await readWritable(loaded);
  if (!read.ok) return read;
  const { state, known } = read.value;
  const judged = checkVerdicts({ emit: () => {} }, loaded, state);
  if (!judged.ok) return judged;
  const photos = await leaveOutResults(runtime, loaded, state);
  if (!photos.ok) return photos;
  const campaign = photos.value;
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const proposed = await propose(runtime, { campaign, state }, deciding);
  if (!proposed.ok) return proposed;
  const posts = payable(proposed.value);
  if (!posts) return ok(undefined);
  const { left, whole, wallet } = proposed.value;
  const placeless = await outputsRefused(runtime.disk, campaign.manifest, whole, {
    state,
    lineage: read.value.header?.lineage,
  });
  if (placeless) return err(placeless);
  const warnings = [...read.value.warnings, ...unendedWarnings(read.value)];
  const spending = wallet && spendingAfter(state, wallet, { plan: whole, now: runtime.clock.now() });
  const question = { campaign, plan: whole, posts, known, warnings };
  return ok({ question, hash: hashOf(proposed.value), left, whole, spending });
}

export interface UnderLock {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly agreement: Agreement | undefined;
}

/** The plan under the lock; `outdated`: something has to be asked about it that was not asked yet. */
export async function decidePlan(
  runtime: Runtime,
  { campaign, open, agreement }: UnderLock,
  deciding: Deciding,
): Promise<Result<Decided | 'outdated', Refusal>> {
  const { savedPlan, consent, accounts } = deciding;
  if (savedPlan !== undefined) return loadSavedPlan(runtime, savedPlan, { campaign, open, accounts });
  const proposed = await propose(runtime, { campaign, state: open.state }, deciding);
  if (!proposed.ok) return proposed;
  const { draft, left, whole, wallet } = proposed.value;
  const decided = (plan: Plan) => ok({ plan, wallet });
  if (consent === 'everything') return decided(whole);
  const isAsked = consent !== 'first-requests' && payable(proposed.value);
  if (!agreement) return isAsked ? ok('outdated') : decided(left);
  if (agreement.hash !== hashOf(proposed.value)) return ok('outdated');
  switch (agreement.answer) {
    case 'all':
      return decided(whole);
    case 'leave':
      return decided(left);
    case 'keep': {
      const accepted = acceptHeld(draft, timestamp(runtime));
      await open.recorder.append(accepted.events);
      return decided(finishPlan(accepted.draft, 'hold', 'make'));
    }
  }
}

async function propose(
  runtime: Pick<Runtime, 'clock' | 'disk'>,
  { campaign, state }: { readonly campaign: Campaign; readonly state: RunState },
  { wishes, consent, accounts }: Deciding,
): Promise<Result<Proposal, Refusal>> {
  const folders = consent === 'everything' ? 'trust' : 'check';
  const now = runtime.clock.now();
  const excess = wishes.withinBudget ? 'rest' : 'nothing';
  const counted = await accounts.walletOf(campaign, state, { excess, month: monthOf(now) });
  if (!counted.ok) return counted;
  const wallet = counted.value;
  const missing = missingOf(runtime, campaign, { state, wishes });
  const drafted = draftCampaign(campaign, state, { wishes, folders, now, purse: wallet, missing });
  if (!drafted.ok) return drafted;
  const draft = drafted.value;
  const left = finishPlan(draft, 'hold');
  const isWhole = !left.held.length && left.deletions?.because !== 'unasked';
  return ok({ draft, left, whole: isWhole ? left : finishPlan(draft, 'make'), wallet });
}

function hashOf({ left, whole }: Proposal): string {
  return left === whole ? hashPlan(whole) : `${hashPlan(left)} ${hashPlan(whole)}`;
}

/** The campaign that a plan is decided for, which a saved plan may have been for another period of. */
export async function campaignToDecide(
  runtime: Runtime,
  campaign: Campaign,
  { savedPlan, wishes }: Deciding,
): Promise<Result<Campaign, Refusal>> {
  if (savedPlan === undefined) return ok(campaign);
  const fixed = fixedByPlan(wishes, 'day' in campaign.today ? campaign.today.day : '');
  return fixed ? err(fixed) : inPeriodsOf(runtime, savedPlan, campaign);
}

/** Flags that decide what a plan holds cannot change a reviewed plan. */
function fixedByPlan(
  { only, exclude, replace, retryFailed, withinBudget, prune, maxDeletes }: PlanWishes,
  at: string,
): Refusal | undefined {
  const given = {
    only,
    exclude,
    replace,
    'retry-failed': retryFailed ?? '',
    'within-budget': withinBudget ? 'yes' : '',
    prune: prune ? 'yes' : '',
    'max-deletes': maxDeletes === undefined ? '' : String(maxDeletes),
    at,
  };
  const flag = Object.entries(given).find(([, value]) => value.length > 0)?.[0];
  if (flag === undefined) return undefined;
  const detail = `--${flag} decides what a plan holds, and --plan has one already: give it to \`campaign plan --out\`.`;
  return refusal(EXIT.usage, { code: 'fixed-by-plan', summary: 'The saved plan stands', detail });
}
