/**
 * Brings files that are missing, or differ from what was recorded, again by fresh links. Nothing is paid, and nothing is
 * recorded. The state's lock is held, so that no run renames files or gives their names to a new take meanwhile.
 */
import path from 'node:path';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { resumingPlan } from '../plan/plan-resuming.ts';
import type { Restoring } from '../steps/restore.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listOutputs, type OutputRow } from '../views/list-outputs.ts';
import { usableApiKey } from './api-key.ts';
import { type BrokenOutputs, planBroken, withinFolder } from './broken-outputs.ts';
import type { Campaign } from './campaign.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { outputsRefused, refreshIndex } from './output-index.ts';
import { lookAtState, stateRefusal } from './read-state.ts';
import { runNodes, type Stop } from './run-nodes.ts';
import type { AppEvent, Runtime } from './runtime.ts';
import { type VerifiedRow, verifyOutputs } from './verify-outputs.ts';

export interface FetchedRow extends Omit<VerifiedRow, 'status'> {
  readonly status: VerifiedRow['status'] | 'fetched';
  /** Why it was not fetched. */
  readonly problem?: Problem;
  /** What stood in its place before, relative to the manifest's folder. */
  readonly backup?: string;
}

interface FetchOptions {
  readonly select: (rows: readonly OutputRow[]) => Result<readonly OutputRow[], Refusal>;
  readonly lockTimeoutMs: number;
  /** Whether files may be outside of the manifest's folder. */
  readonly outside: 'refuse' | 'allow';
  readonly listen: () => Stop;
}

export interface Fetched {
  readonly exit: ExitCode;
  readonly rows: readonly FetchedRow[];
}

export async function fetchOutputs(
  runtime: Runtime,
  campaign: Campaign,
  options: FetchOptions,
): Promise<Result<Fetched, Refusal>> {
  const { lockTimeoutMs } = options;
  const locking = { lockTimeoutMs, clock: runtime.clock, command: 'campaign outputs --fetch' };
  const held = await campaign.store.hold(locking);
  if (!held.ok) return err(stateRefusal(held.error, campaign));
  try {
    const opened = await lookAtState(runtime, campaign);
    if (!opened.ok) return opened;
    const { state } = opened.value;
    const rows = options.select([...listOutputs(state)]);
    if (!rows.ok) return rows;
    const { manifest } = campaign;
    const verified = await verifyOutputs(runtime, manifest.folder, rows.value);
    const isWhole = verified.every(({ status }) => status === 'ok');
    const fetched = isWhole
      ? ok({ exit: EXIT.ok, rows: verified })
      : await fetchBroken(runtime, { campaign, state, verified }, options);
    if (fetched.ok) await refreshIndex(runtime.disk, manifest, state);
    return fetched;
  } finally {
    await held.value.release();
  }
}

interface Fetching {
  readonly campaign: Campaign;
  readonly state: RunState;
  readonly verified: readonly VerifiedRow[];
}

async function fetchBroken(
  runtime: Runtime,
  { campaign, state, verified }: Fetching,
  { outside, listen }: FetchOptions,
): Promise<Result<Fetched, Refusal>> {
  const { outputs } = campaign.manifest;
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const apiKey = await usableApiKey(runtime, campaign.manifest.environment);
  if (!apiKey.ok) return apiKey;
  const mayWrite = (file: string) =>
    outside === 'allow' || withinFolder(file, outputs ? outputs.dir : undefined);
  const broken = planBroken(
    verified.filter(({ status }) => status !== 'ok'),
    state,
    mayWrite,
  );
  const plan = resumingPlan(broken.nodes);
  const refused = await outputsRefused(runtime.disk, campaign.manifest, plan, state);
  if (refused) return err(refused);
  const { exit, problems, backups } = await restoreAll(runtime, listen, {
    campaign,
    state,
    plan,
    broken,
    apiKey: apiKey.value,
  });
  const rows = verified.map((row): FetchedRow => {
    const backup = backups.get(row.path);
    if (backup !== undefined) return { ...row, status: 'fetched', ...(backup && { backup }) };
    const problem = row.status === 'ok' ? undefined : problems.get(row.path);
    return problem ? { ...row, problem } : row;
  });
  return ok({ exit: strongestExit([exit, broken.problems.size ? EXIT.failed : EXIT.ok]), rows });
}

interface RestoringAll extends Omit<Fetching, 'verified'> {
  readonly plan: Plan;
  readonly broken: BrokenOutputs;
  readonly apiKey: string;
}

/** `backups` has each file that was fetched, with the empty text where nothing stood in its place. */
async function restoreAll(
  runtime: Runtime,
  listen: () => Stop,
  { campaign, state, plan, broken, apiKey }: RestoringAll,
) {
  const { folder, outputs } = campaign.manifest;
  const problems = new Map(broken.problems);
  const backups = new Map<string, string>();
  if (plan.nodes.isEmpty) return { exit: EXIT.ok, problems, backups };
  const restoring: Restoring = {
    place: { folder, dir: outputs ? outputs.dir : '.' },
    wanted: broken.wanted,
    restored: (file, backup) =>
      backups.set(file, backup === undefined ? '' : path.join(path.dirname(file), path.basename(backup))),
  };
  const emit = (event: AppEvent) => {
    runtime.emit(event);
    if (event.type !== 'node-finished' || !event.problem) return;
    for (const file of broken.wanted.get(event.address) ?? []) problems.set(file.path, event.problem);
  };
  const stop = listen();
  try {
    const { restoreStep } = await import('../steps/restore.ts');
    const fetching: Runtime = {
      ...runtime,
      emit,
      createSteps: async (io) => ({
        ...(await runtime.createSteps(io)),
        download: restoreStep(io, restoring),
      }),
    };
    // What a run would record is known to the state already.
    const recorder = { state, append: () => Promise.resolve(), note: () => {} };
    emit({ type: 'plan-decided', campaign, plan, known: 0 });
    const { end } = await runNodes(fetching, { campaign, plan, recorder, apiKey }, { stop, waiting: 'all' });
    return { exit: end.exit, problems, backups };
  } finally {
    stop.release();
  }
}
