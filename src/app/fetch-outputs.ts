/**
 * Brings files that are missing, or differ from what was recorded, again by fresh links. Nothing is paid, and nothing is
 * recorded. The state's lock is held, so that no run renames files or gives their names to a new take meanwhile.
 */
import path from 'node:path';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { resumingPlan } from '../plan/plan-resuming.ts';
import { outputFolderOf, ownPlaces } from '../files/own-place.ts';
import type { Restoring } from '../steps/restore.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listOutputs, type OutputRow } from '../views/list-outputs.ts';
import { usableApiKey } from './api-key.ts';
import { type BrokenOutputs, planBroken } from './broken-outputs.ts';
import type { Campaign } from './campaign.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { openStorage } from './open-storage.ts';
import { holdOutputs, refreshIndex } from './hold-outputs.ts';
import { outputsRefused, type Recorded } from './output-index.ts';
import { lookAtState, stateRefusal } from './read-state.ts';
import { runNodes, type Stop } from './run-nodes.ts';
import type { AppEvent, Runtime } from './runtime.ts';
import { type FetchedRow, verifyOutputs } from './verify-outputs.ts';

interface FetchOptions {
  readonly select: (rows: readonly OutputRow[]) => Result<readonly OutputRow[], Refusal>;
  readonly lockTimeoutMs: number;
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
  const command = 'campaign outputs --fetch';
  const locking = { lockTimeoutMs, clock: runtime.clock, command };
  const held = await campaign.store.hold(locking);
  if (!held.ok) return err(stateRefusal(held.error, campaign));
  try {
    const opened = await lookAtState(runtime, campaign);
    if (!opened.ok) return opened;
    const { state, header } = opened.value;
    const recorded = { state, lineage: header?.lineage };
    const rows = options.select([...listOutputs(state)]);
    if (!rows.ok) return rows;
    const { manifest } = campaign;
    const verified = await verifyOutputs(runtime, outputFolderOf(manifest), rows.value);
    const fetching = { campaign, recorded, rows: verified };
    const fetched = await fetchHeld(runtime, fetching, options);
    if (fetched.ok) await refreshIndex(runtime, manifest, { recorded, command });
    return fetched;
  } finally {
    await held.value.release();
  }
}

/** Without a file to bring, the output folder is left to whoever has it. */
async function fetchHeld(
  runtime: Runtime,
  fetching: Fetching,
  options: FetchOptions,
): Promise<Result<Fetched, Refusal>> {
  const { campaign, recorded, rows } = fetching;
  const fetch = campaign.files ? fetchWithStorage : fetchBroken;
  if (rows.every(({ status, problem }) => status === 'ok' || problem))
    return fetch(runtime, fetching, options);
  const { lockTimeoutMs } = options;
  const together = !campaign.store.inFile;
  const holding = { recorded, together, lockTimeoutMs, command: 'campaign outputs --fetch' };
  const held = await holdOutputs(runtime, campaign.manifest, holding);
  if (!held.ok) return held;
  try {
    return await fetch(runtime, fetching, options);
  } finally {
    await held.value.release();
  }
}

interface Fetching {
  readonly campaign: Campaign;
  readonly recorded: Recorded;
  readonly rows: readonly FetchedRow[];
}

/** From the storage first, what it lacks from the service; afterwards both the folder and the storage have all of them. */
async function fetchWithStorage(
  runtime: Runtime,
  fetching: Fetching,
  options: FetchOptions,
): Promise<Result<Fetched, Refusal>> {
  const { campaign, recorded } = fetching;
  const place = outputFolderOf(campaign.manifest);
  const storage = await openStorage(runtime, campaign);
  if (!storage.ok || !storage.value) return storage.ok ? fetchBroken(runtime, fetching, options) : storage;
  const { objects } = storage.value;
  const { fetchStored, storeWhole } = await import('./fetch-stored.ts');
  const { storeIndex } = await import('./stored-index.ts');
  try {
    const stored = await fetchStored(runtime, fetching.rows, { objects, place });
    if (!stored.ok) return err(refusal(stored.error.exit, stored.error));
    const fetched = await fetchBroken(runtime, { ...fetching, rows: stored.value }, options);
    const { rows } = fetched.ok ? fetched.value : { rows: stored.value };
    const problem =
      (await storeWhole(rows, { objects, place })) ??
      (await storeIndex({ ...storage.value, ...campaign }, recorded.state));
    if (problem) runtime.emit({ type: 'diagnostic', ...problem });
    if (!fetched.ok) return fetched;
    return ok({ rows, exit: strongestExit([fetched.value.exit, problem?.exit ?? EXIT.ok]) });
  } finally {
    objects.close();
  }
}

async function fetchBroken(
  runtime: Runtime,
  { campaign, recorded, rows: verified }: Fetching,
  options: FetchOptions,
): Promise<Result<Fetched, Refusal>> {
  const lacking = verified.filter(({ status }) => status !== 'ok' && status !== 'fetched');
  if (!lacking.length) return ok({ exit: EXIT.ok, rows: verified });
  const { state } = recorded;
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const apiKey = await usableApiKey(runtime, campaign.manifest.environment);
  if (!apiKey.ok) return apiKey;
  const broken = planBroken(lacking, state, ownPlaces(outputFolderOf(campaign.manifest)));
  const plan = resumingPlan(broken.nodes);
  const refused = await outputsRefused(runtime.disk, campaign.manifest, plan, recorded);
  if (refused) return err(refused);
  const { exit, problems, backups } = await restoreAll(runtime, options.listen, {
    campaign,
    recorded,
    plan,
    broken,
    apiKey: apiKey.value,
  });
  const rows = verified.map((row): FetchedRow => {
    const backup = backups.get(row.path);
    if (backup !== undefined) return { ...row, status: 'fetched', ...(backup && { backup }) };
    const isLacking = row.status !== 'ok' && row.status !== 'fetched';
    const problem = isLacking ? problems.get(row.path) : undefined;
    return problem ? { ...row, problem } : row;
  });
  return ok({ exit: strongestExit([exit, broken.problems.size ? EXIT.failed : EXIT.ok]), rows });
}

interface RestoringAll extends Omit<Fetching, 'rows'> {
  readonly plan: Plan;
  readonly broken: BrokenOutputs;
  readonly apiKey: string;
}

/** `backups` has each file that was fetched, with the empty text where nothing stood in its place. */
async function restoreAll(
  runtime: Runtime,
  listen: () => Stop,
  { campaign, recorded, plan, broken, apiKey }: RestoringAll,
) {
  const problems = new Map(broken.problems);
  const backups = new Map<string, string>();
  if (plan.nodes.isEmpty) return { exit: EXIT.ok, problems, backups };
  const restoring: Restoring = {
    place: outputFolderOf(campaign.manifest),
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
    const { state, lineage } = recorded;
    const recorder = { state, append: () => Promise.resolve(), note: () => {} };
    emit({ type: 'plan-decided', campaign, plan, known: 0 });
    const { end } = await runNodes(
      fetching,
      { campaign, plan, recorder, apiKey, lineage },
      { stop, waiting: 'all' },
    );
    return { exit: end.exit, problems, backups };
  } finally {
    stop.release();
  }
}
