import { inMemory } from '../engine/in-memory.ts';
import { EXIT_OF_STOP } from '../engine/outcome-table.ts';
import type { RunOptions } from '../engine/run.ts';
import { type RunReport, runPlan } from '../engine/run-plan.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { outputFolderOf } from '../files/own-place.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import { isDeletion, type Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { RunState } from '../model/run-state.ts';
import type { Recorder } from '../model/step.ts';
import { createKnownNames } from '../steps/known-names.ts';
import { madeProducts, requestedIn } from '../steps/known-requests.ts';
import { createLinks } from '../steps/links.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH } from '../steps/media-lookup.ts';
import { campaignFiles } from '../storage/campaign-files.ts';
import { withLookFor } from '../views/look-for.ts';
import { witnessesOf } from '../steps/witnesses.ts';
import { withPhotos } from '../views/name-photos.ts';
import { summarise } from '../views/plan-summary.ts';
import { countRun } from '../views/run-counts.ts';
import { countParts } from '../views/run-parts.ts';
import type { Campaign } from './campaign.ts';
import type { OutputHold } from './lock-folder.ts';
import { ownerFor } from './output-index.ts';
import { earlierFailures, exitOfRun } from './run-end.ts';
import { type Connection, type Runtime, timestamp } from './runtime.ts';
import { noteOrigin } from './request-origin.ts';
import { createSharedServices, type SharedServices } from './shared-services.ts';
import type { SharedBudget, SharedRun, Sharing } from '../store/shared-run.ts';
import type { Store, WritableState } from '../store/store.ts';
import type { CampaignStorage } from './open-storage.ts';
import type { SpendingGuard } from './spending-guard.ts';
import { watchRun } from './watch-run.ts';

export interface PlannedRun {
  readonly campaign: Pick<Campaign, 'manifest' | 'graph' | 'readAt' | 'emulatorData' | 'today' | 'files'>;
  readonly plan: Plan;
  readonly recorder: Recorder;
  /** The newest record of the log. */
  readonly head?: WritableState['head'] | undefined;
  readonly apiKey: string;
  /** Of the state. */
  readonly lineage: string | undefined;
  /** Absent where nothing is put into the output folder. */
  readonly hold?: OutputHold | undefined;
  /** Where photos and results are; absent where that is the manifest's folder. */
  readonly storage?: CampaignStorage | undefined;
  /** Absent without a budget. */
  readonly guard?: SpendingGuard | undefined;
  /** Absent where only this process may carry it out. */
  readonly parallel?: Parallel | undefined;
}

/** What makes a run a shared one. */
export interface Parallel {
  readonly share: (sharing: Sharing) => Promise<SharedRun>;
  readonly count: WritableState['count'];
  /** How many processes take part in this run, or would, besides this one. */
  readonly workers: NonNullable<Store['workers']>;
  readonly pointer: string;
  readonly lineage: string;
  /** What it may spend, and what is spent already. */
  readonly budget: () => SharedBudget;
  /** What the run is about; takes a while for a large campaign. */
  readonly subject: () => string | undefined;
}

export interface CarryOutOptions extends Pick<RunOptions, 'waiting' | 'deadlineMs' | 'failFast'> {
  /** Requests at once; by default the manifest's limit. */
  readonly concurrency?: number | undefined;
  readonly listen: () => Stop;
  /** Absent for the only run of a command. */
  readonly shared?: SharedServices | undefined;
  /** Whether other processes may carry it out, too; absent: this one alone. */
  readonly parallel?: ParallelWish | undefined;
}

/** `detach`: this process leaves once the run is handed over. `work`: whether it has a share itself. */
export interface ParallelWish {
  readonly detach: boolean;
  readonly work: boolean;
}

export interface Stop extends StopSignal {
  readonly exit: ExitCode | undefined;
  release(): void;
}

/** `isAsBefore`: every recheck found its post unchanged, so the run leaves no trace in the state. */
export async function runNodes(
  runtime: Runtime,
  run: PlannedRun,
  {
    concurrency,
    stop,
    waiting,
    deadlineMs,
    failFast,
    shared,
  }: Omit<CarryOutOptions, 'listen'> & { readonly stop: Stop },
) {
  const { plan, recorder, campaign, guard } = run;
  const { manifest, graph, emulatorData } = campaign;
  const ofRun = { manifest, emulatorData, apiKey: run.apiKey, dated: datedBy(plan, campaign) };
  const service = await openService(runtime, ofRun, { concurrency, shared });
  const watch = watchRun(plan, {
    locate: manifest.locate,
    naming: (problem, { address, end }) => {
      const known = { graph, state: recorder.state };
      return end === 'unknown' ? withLookFor(problem, address, known) : withPhotos(problem, address, known);
    },
  });
  const emit = (event: RunEvent) => runtime.emit(watch.take(event));
  const notes = runtime.noteAttempts?.(campaign);
  try {
    for (const { from, to } of plan.moves) emit({ type: 'node-moved', from, to });
    emit({ type: 'planned', ...summarise(plan), new_posts: plan.newPosts, work: countParts(plan).work });
    const { clock, random } = runtime;
    const steps = await runtime.createSteps(ioOf(runtime, run, service));
    const report = await runPlan({
      ...inMemory({ nodes: plan.nodes.listed, service: service.limits, clock, random, emit }),
      steps: notes ? notes.around(steps) : steps,
      recorder: await noteOrigin(runtime, run),
      now: () => timestamp(runtime),
      stop,
      waiting,
      deadlineMs,
      failFast,
      whyNot: guard && ((node) => guard.whyNot(node)),
      onResume: () => service.client.woke(),
    });
    service.stopped(report.stopped);
    const { ends } = report;
    const { files, causes } = watch.seen;
    const { counts, left } = countRun(plan, report, files);
    const exit = strongestExit([
      exitOfRun(plan, counts, ends),
      ...stopCodes(report, stop),
      ...(causes.has('disk') ? [EXIT.cannotWrite] : []),
    ]);
    const isAsBefore = plan.nodes.listed.every(({ address }) => ends.get(address) === 'unchanged');
    const earlier = earlierFailures(plan, ends);
    return { end: { exit, counts, left, earlier, ...watch.told() }, report, isAsBefore };
  } finally {
    await notes?.close();
    await service.close();
  }
}

interface ServiceOf {
  readonly manifest: Pick<Manifest, 'file' | 'environment' | 'limits'>;
  readonly emulatorData: string;
  readonly apiKey: string;
  readonly dated: ReturnType<typeof datedBy>;
}

/** The service as the command knows it, or as one that only this run knows. */
export async function openService(
  runtime: Runtime,
  { manifest, emulatorData, apiKey, dated }: ServiceOf,
  { concurrency, shared }: Pick<CarryOutOptions, 'concurrency' | 'shared'>,
) {
  const { environment, limits } = manifest;
  const total = concurrency ?? limits.total;
  const services = shared ?? createSharedServices(runtime);
  const service = services.of(environment, apiKey);
  const allowed = service.begin({ ...limits, total });
  const connection = await service.connect(runtime.connect, environment, {
    apiKey,
    emulatorData,
    concurrency: total,
    dated,
    turn: allowed.turns.turn,
  });
  return {
    client: connection.client,
    limits: allowed,
    stopped: (reasons: RunReport['stopped']) => service.stopped(reasons, manifest.file),
    async close() {
      allowed.rest();
      await connection.close();
      if (!shared) await services.close();
    },
  };
}

function ioOf(
  runtime: Runtime,
  { campaign, plan, recorder: { state }, storage, lineage }: PlannedRun,
  service: Pick<Connection, 'client'>,
) {
  return {
    ...stepIo(runtime, { ...campaign, state, storage, lineage }, service),
    ...(plan.nodes.listed.some(isDeletion) && { witnesses: witnessesOf(plan, state, campaign.graph) }),
  };
}

interface IoOf {
  readonly manifest: Pick<Manifest, 'name' | 'environment' | 'folder' | 'outputs' | 'outside'> & {
    readonly limits: Pick<Manifest['limits'], 'mediaTimeoutMs'>;
  };
  readonly readAt: number;
  readonly state: RunState;
  readonly storage?: CampaignStorage | undefined;
  readonly lineage: string | undefined;
}

export function stepIo(
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  { manifest, readAt, state, storage, lineage }: IoOf,
  { client }: Pick<Connection, 'client'>,
) {
  const { outputs, environment } = manifest;
  const place = outputFolderOf(manifest, ownerFor(manifest, { lineage }));
  const { gaps } = environment;
  return {
    client,
    place,
    files: storage?.files ?? campaignFiles({ place, photosReadAt: readAt }),
    outputs,
    clock,
    random,
    links: createLinks(client.redact),
    lookup: createMediaLookup(gaps.mediaPath ?? state.learned.get(LEARNED_MEDIA_PATH)),
    madeProducts: madeProducts(state),
    names: createKnownNames(state),
    requested: requestedIn(state),
    form: gaps.form ?? 'schema',
    statuses: gaps.statuses ?? {},
    mediaUrls: gaps.mediaUrls,
    mediaTimeoutMs: manifest.limits.mediaTimeoutMs,
  } as const;
}

export function stopCodes({ stopped }: Pick<RunReport, 'stopped'>, { exit }: Pick<Stop, 'exit'>): ExitCode[] {
  return [...stopped].map((reason) =>
    reason === 'signal' ? (exit ?? EXIT_OF_STOP.signal) : EXIT_OF_STOP[reason],
  );
}

/** What the requests of this run take from the clock, so that it must be right. */
export function datedBy({ nodes, cost }: Plan, { today }: Pick<Campaign, 'today'>) {
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  const isLimited = cost?.limits.some(({ per }) => per === 'month') ?? false;
  const isRepeated = requests.some(({ payload }) => payload.period !== undefined);
  return [
    ...(isLimited && requests.length > 0 ? (['month'] as const) : []),
    ...(isRepeated && !('day' in today) ? (['period'] as const) : []),
  ];
}
