import { inMemory } from '../engine/in-memory.ts';
import { EXIT_OF_STOP } from '../engine/outcome-table.ts';
import type { RunOptions } from '../engine/run.ts';
import { type RunReport, runPlan } from '../engine/run-plan.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { mediaAddress, takeAddress } from '../model/address.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { requestCost } from '../model/budget.ts';
import { kindHas } from '../model/kinds.ts';
import { amountOf } from '../model/money.ts';
import { isDeletion, type Plan, type PlannedNode } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { StateEvent } from '../model/state-event.ts';
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
import { earlierFailures, exitOfRun } from './run-end.ts';
import { type Connection, type Runtime, timestamp } from './runtime.ts';
import { createSharedServices, type SharedServices } from './shared-services.ts';
import type { CampaignStorage } from './open-storage.ts';
import type { SpendingGuard } from './spending-guard.ts';
import { watchRun } from './watch-run.ts';

export interface PlannedRun {
  readonly campaign: Pick<Campaign, 'manifest' | 'graph' | 'readAt' | 'emulatorData' | 'today'>;
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly apiKey: string;
  /** Where photos and results are; absent where that is the manifest's folder. */
  readonly storage?: CampaignStorage | undefined;
  /** Absent without a budget. */
  readonly guard?: SpendingGuard | undefined;
}

export interface CarryOutOptions extends Pick<RunOptions, 'waiting' | 'deadlineMs' | 'failFast'> {
  /** Requests at once; by default the manifest's limit. */
  readonly concurrency?: number | undefined;
  readonly listen: () => Stop;
  /** Absent for the only run of a command. */
  readonly shared?: SharedServices | undefined;
}

export interface Stop extends StopSignal {
  readonly exit: ExitCode | undefined;
  release(): void;
}

/** `isAsBefore`: every recheck found its post unchanged, so the run leaves no trace in the state, as one without work. */
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
  const { manifest, graph } = campaign;
  const service = await openService(runtime, run, { concurrency, shared });
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
    const steps = await runtime.createSteps(stepIo(runtime, run, service));
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

/** The service as the command knows it, or as one that only this run knows. */
async function openService(
  runtime: Runtime,
  { plan, campaign, apiKey }: PlannedRun,
  { concurrency, shared }: Pick<CarryOutOptions, 'concurrency' | 'shared'>,
) {
  const { manifest, emulatorData } = campaign;
  const { environment, limits } = manifest;
  const total = concurrency ?? limits.total;
  const services = shared ?? createSharedServices(runtime);
  const service = services.of(environment, apiKey);
  const connection = await service.connect(runtime.connect, environment, {
    apiKey,
    emulatorData,
    concurrency: total,
    dated: datedBy(plan, campaign),
  });
  const allowed = service.begin({ ...limits, total });
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

function stepIo(
  { clock, random }: Runtime,
  { campaign, recorder: { state }, plan, storage }: PlannedRun,
  { client }: Pick<Connection, 'client'>,
) {
  const { manifest, graph, readAt } = campaign;
  const { folder, outputs, environment } = manifest;
  const { gaps } = environment;
  return {
    client,
    folder,
    files: storage?.files ?? campaignFiles({ folder, outputs, photosReadAt: readAt }),
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
    ...(plan.nodes.listed.some(isDeletion) && { witnesses: witnessesOf(plan, state, graph) }),
  } as const;
}

function stopCodes({ stopped }: RunReport, { exit }: Stop): ExitCode[] {
  return [...stopped].map((reason) =>
    reason === 'signal' ? (exit ?? EXIT_OF_STOP.signal) : EXIT_OF_STOP[reason],
  );
}

/** What the requests of this run take from the clock, so that it must be right. */
function datedBy({ nodes, cost }: Plan, { today }: Pick<Campaign, 'today'>) {
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  const isLimited = cost?.limits.some(({ per }) => per === 'month') ?? false;
  const isRepeated = requests.some(({ payload }) => payload.period !== undefined);
  return [
    ...(isLimited && requests.length > 0 ? (['month'] as const) : []),
    ...(isRepeated && !('day' in today) ? (['period'] as const) : []),
  ];
}

/**
 * A recorder that notes with each request the manifest's version and lines, and what it costs, because these may change
 * later, and tells the guard what came of it.
 */
async function noteOrigin(
  { manifestVersion }: Runtime,
  { plan: { nodes }, recorder, campaign, guard }: PlannedRun,
): Promise<Recorder> {
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  if (requests.length === 0) return recorder;
  const { locate, budget } = campaign.manifest;
  const manifest = await manifestVersion(campaign.manifest);
  const sourcesOf = (all: readonly PlannedNode[]) =>
    new Map(all.map(({ address, source }) => [address, source]));
  const bringing = new Map(requests.map(({ address, takes }) => [address, takes]));
  const listed = sourcesOf(nodes.listed.filter((node) => kindHas(node, 'stored', 'take')));
  const withOrigin = (event: StateEvent): StateEvent => {
    if (event.type !== 'intent' || !event.request) return event;
    const { post, n } = event.request;
    const takes = bringing.get(event.address);
    const sources = takes ? sourcesOf(takes()) : listed;
    const items = event.request.items.map((each) => {
      const { item, fingerprint, inputs, payload } = each;
      const source = sources.get(takeAddress(mediaAddress(post, item), n));
      const position = source === undefined ? undefined : locate(source);
      return position ? { item, fingerprint, inputs, payload, line: position.line } : each;
    });
    const cost = budget && requestCost(event.request, budget.prices);
    const priced = cost === undefined ? {} : { cost: amountOf(cost) };
    return { ...event, request: { ...event.request, items, manifest, ...priced } };
  };
  return {
    get state() {
      return recorder.state;
    },
    async append(events) {
      await recorder.append(events.map(withOrigin));
      guard?.recorded(events);
    },
    note: (events) => recorder.note(events),
  };
}
