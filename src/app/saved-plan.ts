/** A saved plan is bound to the state by the version of that, and to the inputs by being made again and compared. */
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { OpenState } from '../store/store.ts';
import { hashJson } from '../util/canonical-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../util/json.ts';
import { lookAtPlace } from '../util/own-file.ts';
import { readGiven } from '../util/read-given.ts';
import { err, ok, type Result } from '../util/result.ts';
import { writeOwnFile } from '../util/write-own-file.ts';
import { monthOf } from '../model/budget.ts';
import type { Accounts, Wallet } from './account.ts';
import type { Campaign, Today } from './campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { missingOf } from './missing.ts';
import { planCampaign } from './plan-campaign.ts';
import type { PlanWishes } from './plan-wishes.ts';
import { identityOf } from './state-place.ts';
import type { Runtime } from './runtime.ts';

const FORMAT = '1.0';

interface SavedPlan extends JsonObject {
  readonly format_version: string;
  readonly identity: JsonObject;
  readonly state: string;
  readonly wishes: JsonObject;
  /** When it was made, in epoch milliseconds: made again with this time it must be the same plan. */
  readonly made_at: number;
  /** What its periods were decided by. */
  readonly today?: Today;
  readonly plan_hash: string;
}

export interface MadePlan {
  readonly campaign: Campaign;
  readonly open: OpenState;
  readonly wishes: PlanWishes;
  readonly plan: Plan;
  readonly now: number;
}

export async function savePlan(
  file: string,
  { campaign, open, wishes, plan, now }: MadePlan,
): Promise<Refusal | undefined> {
  const saved: SavedPlan = {
    format_version: FORMAT,
    identity: identityOf(campaign.manifest),
    state: open.version,
    wishes: { ...wishes },
    made_at: now,
    today: campaign.today,
    plan_hash: hashPlan(plan),
  };
  const text = `${JSON.stringify({ ...saved, plan }, null, 2)}\n`;
  const why = await writeOwnFile(file, text, KIND);
  return why === undefined ? undefined : cannotSave(file, why);
}

/** Before anything is made; nothing is written. */
export function checkPlanFile(file: string): Refusal | undefined {
  const place = lookAtPlace(file, KIND);
  return place.ok ? undefined : cannotSave(file, place.error);
}

const KIND = { head: /^\{\s*"format_version":\s*"[\d.]+",\s*"identity":/, name: 'saved plan' };

function cannotSave(file: string, why: string): Refusal {
  const detail = `--out ${file}: ${why}.`;
  return refusal(EXIT.cannotWrite, { code: 'cannot-write', summary: 'The plan cannot be written', detail });
}

/** The plan as it was saved or, where it does not fit the budget any more, what of it pays nothing. */
export async function loadSavedPlan(
  { clock, disk }: Pick<Runtime, 'clock' | 'disk'>,
  file: string,
  { campaign, open, accounts }: { campaign: Campaign; open: OpenState; accounts: Accounts },
): Promise<Result<{ plan: Plan; wallet: Wallet | undefined }, Refusal>> {
  const text = await readGiven(file, clock);
  const saved = text.ok ? readSaved(text.value) : undefined;
  if (!saved)
    return err(
      noPlan(file, text.ok ? 'is not a plan that `campaign plan --out` of this version wrote' : text.error),
    );
  if (hashJson(saved.identity) !== hashJson(identityOf(campaign.manifest)))
    return err(stale(file, 'it was made for another campaign, environment or base URL'));
  if (saved.state !== open.version) return err(stale(file, 'the state has moved on since'));
  const wishes = saved.wishes as unknown as PlanWishes;
  const planFor = async (excess: Wallet['excess'], time: number) => {
    const counted = await accounts.walletOf(campaign, open.state, { excess, month: monthOf(time) });
    if (!counted.ok) return counted;
    const wallet = counted.value;
    const missing = missingOf({ disk }, campaign, { state: open.state, wishes });
    const options = { wishes, folders: 'trust', now: saved.made_at, purse: wallet, missing } as const;
    const plan = planCampaign(campaign, open.state, options);
    return plan.ok ? ok({ plan: plan.value, wallet }) : plan;
  };
  const made = await planFor(excessShown(wishes), saved.made_at);
  if (!made.ok) return made;
  if (hashPlan(made.value.plan) !== saved.plan_hash)
    return err(stale(file, 'the manifest or its images have changed since'));
  return planFor(wishes.withinBudget ? 'rest' : 'nothing', clock.now());
}

/** A plan that is shown names what it wants, also where that does not fit. */
export function excessShown({ withinBudget }: PlanWishes): Wallet['excess'] {
  return withinBudget ? 'rest' : 'show';
}

function noPlan(file: string, why: string): Refusal {
  const detail = `${file} ${why}.`;
  return refusal(EXIT.usage, { code: 'no-saved-plan', summary: 'No saved plan', detail });
}

/** A pipe is waited for before the lock is taken, and not beyond the deadline; what came is kept for all who read it. */
export async function unreadPlan(
  { clock }: Pick<Runtime, 'clock'>,
  file: string,
  deadlineMs: number | undefined,
): Promise<Refusal | undefined> {
  const text = await readGiven(file, clock, deadlineMs);
  return text.ok ? undefined : noPlan(file, text.error);
}

/** What a saved plan was made with; undefined where there is none. */
export async function savedWishes(
  { clock }: Pick<Runtime, 'clock'>,
  file: string,
): Promise<PlanWishes | undefined> {
  const text = await readGiven(file, clock);
  return text.ok ? (readSaved(text.value)?.wishes as PlanWishes | undefined) : undefined;
}

/** The campaign in the periods of a saved plan: what was reviewed is applied, also when another period has begun. */
export async function inPeriodsOf(
  { clock }: Pick<Runtime, 'clock'>,
  file: string,
  campaign: Campaign,
): Promise<Result<Campaign, Refusal>> {
  if (!campaign.manifest.periods.length) return ok(campaign);
  const text = await readGiven(file, clock);
  const saved = text.ok ? readSaved(text.value) : undefined;
  return saved ? campaign.reload([], saved.today ?? { now: saved.made_at }) : ok(campaign);
}

function readSaved(text: string): SavedPlan | undefined {
  const json = parseJson(text);
  if (!json.ok || !isJsonObject(json.value) || json.value['format_version'] !== FORMAT) return undefined;
  const { identity, wishes, made_at } = json.value;
  return isJsonObject(identity) && isJsonObject(wishes) && typeof made_at === 'number'
    ? (json.value as SavedPlan)
    : undefined;
}

export function hashPlan(plan: Plan): string {
  return hashJson(JSON.parse(JSON.stringify(plan)) as JsonObject);
}

function stale(file: string, why: string): Refusal {
  const detail = `${file}: ${why}. Nothing was sent. Make a new plan, look at it, and apply that.`;
  return refusal(EXIT.needsConsent, {
    code: 'stale-plan',
    summary: 'The saved plan no longer holds',
    detail,
  });
}
