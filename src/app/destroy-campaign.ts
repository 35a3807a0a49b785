/**
 * Deletes at the service everything that this state made. The question is asked without the lock; under it the plan is
 * made again, and if it is another one, it is asked again.
 */
import { resolve } from 'node:path';
import { outputFolderOf } from '../files/own-place.ts';
import { hasKey } from '../model/kinds.ts';
import { isDeletion, type Plan } from '../model/plan.ts';
import type { Refusal } from '../model/problem.ts';
import { planDestroy } from '../plan/plan-destroy.ts';
import type { WritableState } from '../store/store.ts';
import { count } from '../util/count.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listOutputs } from '../views/list-outputs.ts';
import type { Accounts } from './account.ts';
import { usableApiKey } from './api-key.ts';
import { tellFinish, tellStart } from './apply-no-changes.ts';
import type { Campaign } from './campaign.ts';
import { stepsAfter } from './outlook.ts';
import { carryOut } from './carry-out.ts';
import { type Confirmation, NOT_AGREED, withConsent } from './change-state.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { openForRun, thenClose } from './open-for-run.ts';
import { holdOutputs, touchesOutputs } from './hold-outputs.ts';
import type { OutputHold } from './lock-folder.ts';
import { removeIndex } from './output-index.ts';
import { stateRefusal, unendedWarnings } from './read-state.ts';
import type { RunEnd } from './run-end.ts';
import type { CarryOutOptions } from './run-nodes.ts';
import type { Runtime } from './runtime.ts';
import { verifyOutputs } from './verify-outputs.ts';

export interface DestroyQuestion extends Confirmation {
  readonly plan: Plan;
  readonly known: number;
}

export interface DestroyOptions extends CarryOutOptions {
  /** Undefined means yes. */
  readonly ask: (question: DestroyQuestion) => Promise<Refusal | undefined>;
  readonly isAgreed: boolean;
  readonly lockTimeoutMs: number;
  readonly accounts: Accounts;
  /** Whether downloaded files are removed with their posts. */
  readonly files: 'go' | 'stay';
}

export async function destroyCampaign(
  runtime: Runtime,
  campaign: Campaign,
  options: DestroyOptions,
): Promise<Result<RunEnd, Refusal>> {
  const apiKey = await usableApiKey(runtime, campaign.manifest.environment);
  if (!apiKey.ok) return apiKey;
  const { lockTimeoutMs, files } = options;
  const command = `destroy${files === 'go' ? ' --files' : ''}`;
  let asked: DestroyQuestion | undefined;
  const consent = {
    isGiven: () => options.isAgreed,
    ask: async () => asked && options.ask(asked),
  };
  const ended = await withConsent(consent, async (agreed) => {
    const opened = await openForRun(runtime, campaign, { command, lockTimeoutMs });
    if (!opened.ok) return opened;
    const open = opened.value;
    const agree = (question: DestroyQuestion) => {
      asked = question;
      return agreed(question, open.version);
    };
    const run = () => destroyOpened(runtime, { campaign, open, apiKey: apiKey.value, agree }, options);
    const { result } = await thenClose(runtime, open, {
      run: async () => {
        const result = await run();
        return { result, exit: result.ok ? result.value.exit : result.error.exit };
      },
    });
    return result;
  });
  if (ended.ok) tellFinish(runtime, ended.value);
  return ended;
}

interface Opened {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly apiKey: string;
  readonly agree: (question: DestroyQuestion) => boolean;
}

async function destroyOpened(
  runtime: Runtime,
  { campaign, open, apiKey, agree }: Opened,
  options: DestroyOptions,
): Promise<Result<RunEnd, Refusal>> {
  const { known } = open;
  const gone = await emulatorDataGone(campaign, open.state);
  if (gone) return err(gone);
  const plan = planDestroy(campaign.graph, open.state, options.files);
  const question = questionOf(plan, campaign, options);
  if (question && !agree({ ...question, plan, known })) return err(NOT_AGREED);
  const held = await holdFor(runtime, { campaign, open, plan }, options);
  if (!held.ok) return held;
  try {
    const all = { campaign, open, apiKey, plan, hold: held.value, isAsked: question !== undefined };
    return await destroyHeld(runtime, all, options);
  } finally {
    await held.value?.release();
  }
}

/** The output folder, where files in it are to go. */
async function holdFor(
  runtime: Runtime,
  { campaign: { manifest, store }, open, plan }: Pick<Held, 'campaign' | 'open' | 'plan'>,
  { lockTimeoutMs }: DestroyOptions,
): Promise<Result<OutputHold | undefined, Refusal>> {
  const { folder, outputs } = manifest;
  const isHere = outputs && runtime.disk.stat(resolve(folder, outputs.dir)).type !== 'nothing';
  if (!isHere || !touchesOutputs(plan)) return ok(undefined);
  const recorded = { state: open.state, lineage: open.header.lineage };
  const together = !store.inFile;
  return holdOutputs(runtime, manifest, {
    recorded,
    together,
    lockTimeoutMs,
    command: 'campaign destroy --files',
  });
}

interface Held extends Omit<Opened, 'agree'> {
  readonly plan: Plan;
  readonly hold: OutputHold | undefined;
  readonly isAsked: boolean;
}

async function destroyHeld(
  runtime: Runtime,
  { campaign, open, apiKey, plan, hold, isAsked }: Held,
  options: DestroyOptions,
): Promise<Result<RunEnd, Refusal>> {
  const { emit } = runtime;
  const { known, mark, recorder } = open;
  const { lineage } = open.header;
  tellStart(runtime, campaign, { known, command: 'destroy' });
  for (const summary of [...open.warnings, ...unendedWarnings(open)]) emit({ type: 'warning', summary });
  emit({ type: 'plan-decided', campaign, plan, known, mark });
  const unwritable = isAsked ? await open.begin() : undefined;
  if (unwritable) return err(stateRefusal(unwritable, campaign));
  const rows = options.files === 'go' ? [...listOutputs(open.state)] : [];
  const end = await carryOut(runtime, { campaign, plan, recorder, apiKey, lineage, hold }, options);
  const place = outputFolderOf(campaign.manifest);
  const kept = new Set([...listOutputs(recorder.state)].map(({ path }) => path));
  const removed = rows.filter(({ path }) => !kept.has(path));
  for (const { path, status, problem } of await verifyOutputs(runtime, place, removed)) {
    if (status === 'missing') continue;
    const why = problem?.summary ?? (status === 'ok' ? 'it is a link' : 'it is not what was downloaded');
    emit({ type: 'warning', summary: `${path} stays: ${why}` });
  }
  if (options.files === 'go')
    await removeIndex(runtime.disk, campaign.manifest, { state: recorder.state, lineage });
  if (campaign.files !== undefined && removed.length) emit({ type: 'warning', summary: STORED_STAY });
  const uploads = [...recorder.state.objects.keys()].filter((address) => !hasKey(address)).length;
  if (uploads) emit({ type: 'warning', summary: uploadsStay(uploads) });
  const { accounts } = options;
  const destroying = options.files === 'go' ? 'destroy --files' : 'destroy';
  const looking = { campaign, state: recorder.state, accounts, destroying };
  const next = await stepsAfter(end, runtime, looking);
  emit({ type: 'work-ended', end: { ...end, next }, plan });
  return ok({ ...end, next });
}

const STORED_STAY = 'What is in the storage stays there: campaign removes nothing from it';

function uploadsStay(uploads: number): string {
  const stay = uploads === 1 ? 'stays' : 'stay';
  return `${count(uploads, 'upload')} ${stay} at the service: it has no way to delete uploads`;
}

/** Undefined where nothing would be deleted. */
function questionOf(
  plan: Plan,
  { manifest: { name, environment }, files: storage }: Campaign,
  { files }: DestroyOptions,
): Confirmation | undefined {
  const deletions = plan.nodes.listed.filter(isDeletion);
  if (!deletions.length) return undefined;
  const posts = deletions.reduce((sum, { payload }) => sum + payload.posts.length, 0);
  const here = files === 'go' ? ', and their files here' : '; downloaded files stay';
  const withFiles = `${here}${storage === undefined ? '' : '; what is in the storage stays there'}`;
  const what =
    `This deletes everything that the campaign ${name} has made in the environment ${environment.name}: ` +
    `${count(deletions.length, 'deletion')} at the service, ${count(posts, 'post')} among them${withFiles}. None of it can be brought back.`;
  return { what, question: `${name} ${environment.name}` };
}
