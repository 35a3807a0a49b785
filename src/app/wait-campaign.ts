import { signalOf } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { Plan } from '../model/plan.ts';
import { planWaiting } from '../plan/plan-waiting.ts';
import type { Selection } from '../plan/select.ts';
import type { WritableState } from '../store/store.ts';
import type { Result } from '../util/result.ts';
import { type NextStep, nextSteps, NOTHING_OPEN } from '../views/next-steps.ts';
import { hasWork } from '../views/plan-summary.ts';
import type { Accounts } from './account.ts';
import { usableApiKey } from './api-key.ts';
import { tellFinish, tellStart } from './apply-no-changes.ts';
import type { Campaign } from './campaign.ts';
import { carryOut } from './carry-out.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { canAsk } from './find-created.ts';
import { openForRun, refusedEnd, thenClose } from './open-for-run.ts';
import { type CampaignStorage, openStorage } from './open-storage.ts';
import type { OutputHold } from './lock-folder.ts';
import { hasSteps, stepsAfter, unfinishedDestroy } from './outlook.ts';
import { leaveOutResults, stateRefusal, unendedWarnings } from './read-state.ts';
import type { RunEnd } from './run-end.ts';
import { placeFiles } from './place-files.ts';
import type { CarryOutOptions } from './run-nodes.ts';
import type { Runtime } from './runtime.ts';
import { storedHeads, type StoredHeads } from './stored-heads.ts';

export interface WaitOptions
  extends Pick<CarryOutOptions, 'deadlineMs' | 'concurrency' | 'listen' | 'shared'> {
  readonly selection: Selection;
  /** Says why none of these posts can be meant. */
  readonly see: (posts: Iterable<string>) => Refusal | undefined;
  readonly lockTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly accounts: Accounts;
  /** Reads all of the campaign. */
  readonly readAll: () => Promise<Result<Campaign, Refusal>>;
  /** The flags that select nodes, for what comes next. */
  readonly selectedBy: string;
}

/** Polls and downloads what was requested before; nothing is uploaded, created, updated or deleted. */
export async function waitCampaign(
  runtime: Runtime,
  campaign: Campaign,
  options: WaitOptions,
): Promise<RunEnd> {
  const end = await waited(runtime, campaign, options);
  tellFinish(runtime, end);
  return end;
}

async function waited(runtime: Runtime, campaign: Campaign, options: WaitOptions): Promise<RunEnd> {
  const apiKey = await usableApiKey(runtime, campaign.manifest.environment);
  if (!apiKey.ok) return refusedEnd(runtime, apiKey.error);
  const storage = await openStorage(runtime, campaign);
  if (!storage.ok) return refusedEnd(runtime, storage.error);
  const { lockTimeoutMs, signal } = options;
  const { heads, unread } = await storedHeads(campaign, storage.value);
  const opened = await openForRun(runtime, campaign, { command: 'wait', lockTimeoutMs, signal, heads });
  if (!opened.ok) return refusedEnd(runtime, opened.error);
  const open = opened.value;
  try {
    return await thenClose(runtime, open, {
      run: () =>
        waitOpened(
          runtime,
          { campaign, open, apiKey: apiKey.value, storage: storage.value, unread },
          options,
        ),
      how: ({ exit }) => (signalOf(exit) ? 'as-it-is' : 'compact'),
    });
  } finally {
    storage.value?.objects.close();
  }
}

interface Opened {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly apiKey: string;
  readonly storage: CampaignStorage | undefined;
  readonly unread: StoredHeads['unread'];
}

async function waitOpened(
  runtime: Runtime,
  { campaign, open, apiKey, storage, unread }: Opened,
  { selection, see, ...options }: WaitOptions,
): Promise<RunEnd> {
  const { emit, clock } = runtime;
  const { manifest } = campaign;
  const { known, state } = open;
  tellStart(runtime, campaign, { known, command: 'wait' });
  for (const summary of [...open.warnings, ...unendedWarnings(open)]) emit({ type: 'warning', summary });
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return refusedEnd(runtime, gone);
  const mistyped = see(state.media.keys());
  if (mistyped) return refusedEnd(runtime, mistyped);
  const { outputs, periods, postPlans } = manifest;
  const nameOf = (plan: string) => periods.find(({ post }) => post === plan)?.name;
  const present = new Map(postPlans.map((plan) => [plan, nameOf(plan)]));
  const plan = planWaiting({ state, outputs, now: clock.now(), selection, present });
  const recorded = { state, lineage: open.header.lineage };
  const { lockTimeoutMs, signal } = options;
  const waiting = { lockTimeoutMs, signal, command: 'campaign wait' };
  const placed = await placeFiles(runtime, campaign, { plan, recorded, storage, unread }, waiting);
  if (!placed.ok) return refusedEnd(runtime, placed.error);
  const hold = placed.value;
  try {
    return await waitPlaced(
      runtime,
      { campaign, open, apiKey, storage, plan, hold, present },
      { ...options, selection },
    );
  } finally {
    await hold?.release();
  }
}

interface Placed extends Omit<Opened, 'unread'> {
  readonly plan: Plan;
  readonly hold: OutputHold | undefined;
  /** The present period of each post plan. */
  readonly present: ReadonlyMap<string, string | undefined>;
}

async function waitPlaced(
  runtime: Runtime,
  { campaign, open, apiKey, storage, plan, hold, present }: Placed,
  options: Omit<WaitOptions, 'see'>,
): Promise<RunEnd> {
  const { emit, clock } = runtime;
  const { manifest } = campaign;
  const { known, recorder } = open;
  const { outputs } = manifest;
  const { selection } = options;
  const useless = plan.nodes.isEmpty ? undefined : options.shared?.of(manifest.environment, apiKey).refusal;
  if (useless) return refusedEnd(runtime, useless);
  emit({ type: 'plan-decided', campaign, plan, known });
  const unwritable = hasWork(plan) ? await open.begin() : undefined;
  if (unwritable) return refusedEnd(runtime, stateRefusal(unwritable, campaign));
  const end = await carryOut(
    runtime,
    { campaign, plan, recorder, head: open.head, apiKey, storage, hold, lineage: open.header.lineage },
    { ...options, waiting: 'all' },
  );
  const planned = () => planWaiting({ state: recorder.state, outputs, now: clock.now(), selection, present });
  const waited = { campaign, end, open, planned };
  const next = await stepsAfterWait(runtime, waited, options);
  emit({ type: 'work-ended', end: { ...end, next }, plan });
  return { ...end, next };
}

interface Waited extends Pick<Opened, 'campaign' | 'open'> {
  readonly end: RunEnd;
  readonly planned: () => Plan;
}

/** As at the end of an apply; without the photos, as on a machine that lacks them, only what can be waited for is known. */
async function stepsAfterWait(
  runtime: Runtime,
  { campaign: opened, open, end: { exit }, planned }: Waited,
  { readAll, accounts, selection, selectedBy: words }: Omit<WaitOptions, 'see'>,
): Promise<readonly NextStep[]> {
  if (!hasSteps(exit)) return [];
  const { target, today } = opened;
  const { state } = open.recorder;
  const read = await readAll();
  const campaign = read.ok ? await leaveOutResults(runtime, read.value, state) : read;
  if (campaign.ok) {
    const wishes = { ...selection, among: 'several' } as const;
    const destroying = unfinishedDestroy(open.runs);
    const looking = { campaign: campaign.value, state, accounts, destroying };
    return stepsAfter({ exit }, runtime, { ...looking, selection: { wishes, words } });
  }
  const at = 'day' in today ? `--at ${today.day}` : '';
  return nextSteps({ apply: { plan: planned() } }, NOTHING_OPEN, {
    target,
    at,
    only: words,
    canAsk: canAsk(opened, state),
  });
}
