import { EXIT, signalOf } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import type { Refusal } from '../model/problem.ts';
import { ok } from '../util/result.ts';
import { overBudget } from '../views/budget-words.ts';
import { usableApiKey } from './api-key.ts';
import { tellFinish, tellStart } from './apply-no-changes.ts';
import { deletionsRefused } from '../views/deletion-words.ts';
import { asksService, isRecorded } from '../views/plan-summary.ts';
import { usualTime } from '../views/usual-time.ts';
import { selected, stepsAfter } from './outlook.ts';
import { askBeforehand, campaignToDecide, type Deciding, decidePlan, type UnderLock } from './decide-plan.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { confirmGone } from './confirm-gone.ts';
import type { Followed } from './follow-run.ts';
import { openForRun, refusedEnd, thenClose } from './open-for-run.ts';
import { type CampaignStorage, openStorage } from './open-storage.ts';
import { tellLeftAlone, withFilesThatAreHere } from './outputs-away.ts';
import { placeFiles } from './place-files.ts';
import { spendPlan, type Spending } from './spend-plan.ts';
import type { CarryOutOptions } from './run-nodes.ts';
import { leaveOutResults, stateRefusal, unendedWarnings } from './read-state.ts';
import type { RunEnd } from './run-end.ts';
import type { Runtime } from './runtime.ts';
import { storedHeads, type StoredHeads } from './stored-heads.ts';
import { checkVerdicts } from './verdicts.ts';

export interface ApplyOptions extends Deciding, CarryOutOptions {
  readonly lockTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The flags that select nodes, for what comes next. */
  readonly selectedBy?: string | undefined;
}

/** Manifest → plan → requests → files; resumable at any moment. The last event says how the run ended. */
export async function applyCampaign(
  runtime: Runtime,
  campaign: Campaign,
  options: ApplyOptions,
): Promise<RunEnd> {
  const end = await applied(runtime, campaign, options);
  tellFinish(runtime, end);
  return end;
}

async function applied(runtime: Runtime, loaded: Campaign, given: ApplyOptions): Promise<RunEnd> {
  const chosen = await campaignToDecide(runtime, loaded, given);
  if (!chosen.ok) return refusedEnd(runtime, chosen.error);
  const confirmed = await confirmGone(runtime, chosen.value, given);
  if (!confirmed.ok) return refusedEnd(runtime, confirmed.error);
  const options = { ...given, wishes: confirmed.value };
  const storage = await openStorage(runtime, chosen.value);
  if (!storage.ok) return refusedEnd(runtime, storage.error);
  try {
    return await appliedWith(runtime, { campaign: chosen.value, storage: storage.value }, options);
  } finally {
    storage.value?.objects.close();
  }
}

interface Chosen {
  readonly campaign: Campaign;
  readonly storage: CampaignStorage | undefined;
}

async function appliedWith(
  runtime: Runtime,
  { campaign: chosen, storage }: Chosen,
  options: ApplyOptions,
): Promise<RunEnd> {
  let { agreed } = options;
  for (let campaign = chosen, wasKeptOut = false; ; ) {
    const apiKey = await usableApiKey(runtime, campaign.manifest.environment);
    if (!apiKey.ok) return refusedEnd(runtime, apiKey.error);
    const asked: Awaited<ReturnType<typeof askBeforehand>> = agreed
      ? ok(agreed)
      : await askBeforehand(runtime, campaign, options);
    if (!asked.ok) return refusedEnd(runtime, asked.error);
    const agreement = asked.value;
    if (agreement && !agreed) {
      // The manifest, the table or a photo may have been edited while the question stood: it is asked about what they say now.
      const now = await campaign.reload([], campaign.today);
      if (!now.ok) return refusedEnd(runtime, now.error);
      campaign = now.value;
    }
    agreed = undefined;
    const { signal } = options;
    const lockTimeoutMs = wasKeptOut ? 0 : options.lockTimeoutMs;
    const stored = await storedHeads(campaign, storage);
    const run = { command: 'apply', lockTimeoutMs, signal, heads: stored.heads };
    const opened = await openForRun(runtime, campaign, run);
    if (!opened.ok) {
      const own = { campaign, apiKey: apiKey.value, storage, heads: stored.heads };
      const followed = await followedEnd(runtime, { ...own, why: opened.error }, options);
      if (followed !== 'over') return followed;
      if (wasKeptOut) return refusedEnd(runtime, opened.error);
      wasKeptOut = true;
      agreed = agreement;
      continue;
    }
    const open = opened.value;
    const end = await thenClose(runtime, open, {
      run: () =>
        runOpened(runtime, { campaign, open, apiKey: apiKey.value, agreement, storage, ...stored }, options),
      how: ({ exit }) => (signalOf(exit) ? 'as-it-is' : 'compact'),
    });
    if (!end.isOutdated) return end;
    wasKeptOut = false;
    if (agreement) runtime.emit({ type: 'plan-outdated' });
    // If somebody changed the state meanwhile, the manifest may have changed before it; the old one would undo that.
    const again = await campaign.reload([]);
    if (!again.ok) return refusedEnd(runtime, again.error);
    campaign = again.value;
    for (const warning of campaign.warnings) runtime.emit({ type: 'diagnostic', ...warning });
  }
}

interface Opened extends UnderLock, Pick<Chosen, 'storage'>, StoredHeads {
  readonly apiKey: string;
}

/** `isOutdated`: nothing was done, because somebody has to be asked first. */
async function runOpened(
  runtime: Runtime,
  { campaign: loaded, open, apiKey, agreement, storage, unread }: Opened,
  options: ApplyOptions,
): Promise<RunEnd & { readonly isOutdated?: true }> {
  const { emit } = runtime;
  const photos = await leaveOutResults(runtime, loaded, open.state);
  if (!photos.ok) return refusedEnd(runtime, photos.error);
  const campaign = photos.value;
  const { known } = open;
  tellStart(runtime, campaign, { known });
  for (const summary of [...open.warnings, ...unendedWarnings(open)]) emit({ type: 'warning', summary });
  const judged = checkVerdicts(runtime, campaign, open.state);
  if (!judged.ok) return refusedEnd(runtime, judged.error);
  const gone = await emulatorDataGone(campaign, open.state);
  if (gone) return refusedEnd(runtime, gone);
  const decided = await decidePlan(runtime, { campaign, open, agreement }, options);
  if (!decided.ok) return refusedEnd(runtime, decided.error);
  if (decided.value === 'outdated') return { exit: EXIT.ok, counts: NO_NODES, isOutdated: true };
  const { wallet } = decided.value;
  if (wallet?.busy && decided.value.plan.newPosts) return refusedEnd(runtime, wallet.busy);
  const { state } = open;
  tellLeftAlone(runtime, campaign, state);
  const plan = storage
    ? decided.value.plan
    : await withFilesThatAreHere(runtime, { campaign, plan: decided.value.plan, state });
  const recorded = { state, lineage: open.header.lineage };
  const { lockTimeoutMs, signal } = options;
  const waiting = { lockTimeoutMs, signal, command: 'campaign apply' };
  const placed = await placeFiles(runtime, campaign, { plan, recorded, storage, unread }, waiting);
  if (!placed.ok) return refusedEnd(runtime, placed.error);
  const hold = placed.value;
  try {
    const all = { campaign, open, apiKey, plan, wallet, storage, hold };
    return await runPlaced(runtime, all, options);
  } finally {
    await hold?.release();
  }
}

/** Everything has its place: what may still stop it costs nothing. */
async function runPlaced(runtime: Runtime, spending: Spending, options: ApplyOptions): Promise<RunEnd> {
  const { campaign, open, apiKey, plan } = spending;
  const { emit } = runtime;
  const { known } = open;
  const useless = asksService(plan)
    ? options.shared?.of(campaign.manifest.environment, apiKey).refusal
    : undefined;
  if (useless) return refusedEnd(runtime, useless);
  const beyond = overBudget(plan, campaign.quote, options.wishes.withinBudget === true);
  if (beyond) emit({ type: 'diagnostic', ...beyond });
  const refusal = deletionsRefused(plan);
  if (refusal) emit({ type: 'diagnostic', ...refusal });
  const { mediaInFlight } = campaign.manifest.limits;
  const pace = { mediaInFlight, usualMs: () => usualTime(open.state) };
  emit({ type: 'plan-decided', campaign, plan, known, mark: open.mark, pace });
  // Whether the state can be written is known before the first request is sent.
  const unwritable = isRecorded(plan) ? await open.begin() : undefined;
  if (unwritable) return refusedEnd(runtime, stateRefusal(unwritable, campaign));
  const end = await spendPlan(runtime, spending, options);
  return withNext(runtime, { end, campaign, plan, state: open.recorder.state }, options);
}

async function withNext(
  runtime: Runtime,
  { end, campaign, plan, state }: Followed,
  { accounts, wishes, selectedBy: words = '' }: ApplyOptions,
): Promise<RunEnd> {
  const selection = { wishes: selected(wishes), words };
  const next = await stepsAfter(end, runtime, { campaign, state, accounts, selection });
  runtime.emit({ type: 'work-ended', end: { ...end, next }, plan });
  return { ...end, next };
}

/**
 * Another run has the state: it is the same one, and this apply takes part in it, or this apply is refused. 'over': there is
 * no run to take part in, or not any more; one that has ended since then keeps nobody out.
 */
async function followedEnd(
  runtime: Runtime,
  { why, ...own }: Pick<Opened, 'campaign' | 'apiKey' | 'storage' | 'heads'> & { readonly why: Refusal },
  options: ApplyOptions,
): Promise<RunEnd | 'over'> {
  if (why.exit !== EXIT.locked || !own.campaign.store.openRun) return refusedEnd(runtime, why);
  const { followEqualRun } = await import('./follow-run.ts');
  const followed = await followEqualRun(runtime, own, options);
  if (!followed.ok) return refusedEnd(runtime, followed.error);
  if (followed.value === 'over') return 'over';
  return followed.value ? withNext(runtime, followed.value, options) : refusedEnd(runtime, why);
}
