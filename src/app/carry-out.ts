import type { RunReport } from '../engine/run-options.ts';
import { runPlan } from '../engine/run-plan.ts';
import type { StopReason } from '../engine/stop.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Recorder } from '../model/step.ts';
import { withPhotos } from '../views/name-photos.ts';
import { summarise } from '../views/plan-summary.ts';
import { countWork } from '../views/tally.ts';
import type { RequestTimeouts } from '../service/connections.ts';
import { createSteps } from '../steps/create-steps.ts';
import { createKnownNames } from '../steps/known-names.ts';
import { madeProducts, requestedIn } from '../steps/known-requests.ts';
import { createLinks } from '../steps/links.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH } from '../steps/media-lookup.ts';
import { StateWriteError } from '../store/file/log-writer.ts';
import type { Clock } from '../util/clock.ts';
import type { RunEnd } from '../commands/apply.ts';
import type { Profile } from '../emulator/profiles/read-profile.ts';
import { type Connection, connectService } from './connect-service.ts';
import type { Campaign } from './load-campaign.ts';
import { moveOutputs } from './move-outputs.ts';
import { noteOrigin } from './note-origin.ts';
import type { ApplyOptions } from '../cli/options.ts';
import type { Output } from '../cli/output.ts';
import { countRun, exitOf } from './run-end.ts';
import { collectFailures } from './run-failures.ts';
import { diskProblem } from './disk-problem.ts';
import { runFinished } from './record-run.ts';
import { createRenderer } from '../cli/run-renderer.ts';
import { type SignalStop, stopOnSignals } from '../cli/stop-on-signals.ts';
import type { TraceFile } from './trace-file.ts';
import { watchRun } from './watch-run.ts';
import { refreshIndex, writeIndex } from './write-index.ts';

/** One planned run with an open state. */
export interface PlannedRun {
  readonly campaign: Campaign;
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly apiKey: string;
  readonly world: World;
}

/** What a run takes from the machine: time, chance, and how long it waits for an answer. */
export interface World {
  readonly clock: Clock;
  /** Times requests; `clock` unless told. */
  readonly deadlines?: Clock;
  readonly random: () => number;
  readonly requestTimeouts?: Partial<RequestTimeouts> | undefined;
  /** How the embedded emulator is to be. */
  readonly profile?: Profile | undefined;
  /** Where the trace goes, if one is wanted. */
  readonly trace?: TraceFile['add'] | undefined;
}

const now = () => new Date().toISOString();

/** Carries out a plan: moves first, then the engine, then the index; a run without work leaves no trace in the state. */
export async function carryOut(run: PlannedRun, options: ApplyOptions, output: Output): Promise<RunEnd> {
  const { plan, recorder, campaign } = run;
  const { manifest } = campaign;
  const stop = stopOnSignals();
  // What the run has come to, should the disk refuse the next thing.
  let end = withoutRequests(plan);
  try {
    if (!hasWork(plan)) {
      await refreshIndex(manifest, recorder.state);
      return end;
    }
    end = withoutRequests({ ...plan, moves: [] });
    await recorder.append(
      plan.moves.map(({ from, to }) => ({ type: 'moved' as const, at: now(), from, to })),
    );
    end = withoutRequests(plan);
    const { folder, outputs } = manifest;
    if (outputs) await moveOutputs(plan.fileMoves, { place: { folder, dir: outputs.dir }, recorder, now });
    if (plan.nodes.length) {
      const ran = await runNodes(run, { options, output, stop });
      end = ran.end;
      if (ran.writeError) throw ran.writeError;
      if (ran.isAsBefore && !hasMoves(plan)) return end;
    } else tellMoves(plan, output);
    await writeIndex(manifest, recorder.state);
    await recorder.append([runFinished(end, now())]);
    return end;
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    output.problems([problem]);
    end = { ...end, exit: EXIT.cannotWrite };
    // Where the state itself cannot be written, this is kept with the rest, and the error is told already.
    if (hasWork(plan)) await recorder.append([runFinished(end, now())]).catch(unlessWriteError);
    return end;
  } finally {
    stop.release();
  }
}

/** Whether a run has anything to do; what waits for a decision alone is no work. */
export function hasWork({ nodes, moves, fileMoves }: Plan): boolean {
  return nodes.some(({ action }) => action !== 'blocked') || hasMoves({ moves, fileMoves });
}

function hasMoves({ moves, fileMoves }: Pick<Plan, 'moves' | 'fileMoves'>): boolean {
  return moves.length > 0 || fileMoves.length > 0;
}

function tellMoves({ moves }: Plan, output: Output): void {
  for (const { from, to } of moves) output.event({ type: 'node-moved', from, to });
}

function withoutRequests(plan: Plan): RunEnd {
  const counts = countRun(plan, plan.nodes, { ends: new Map(), files: 0 });
  return { exit: exitOf(plan, counts, new Map()), counts };
}

interface RunContext {
  readonly options: ApplyOptions;
  readonly output: Output;
  readonly stop: SignalStop;
}

/** What a run of nodes came to; `writeError`: what the log said when it could not be written any more. */
interface Ran {
  readonly end: RunEnd;
  readonly writeError: unknown;
  /** All that was looked for is as it was: the run leaves no trace in the state, as one without work. */
  readonly isAsBefore: boolean;
}

async function runNodes(run: PlannedRun, { options, output, stop }: RunContext): Promise<Ran> {
  const { plan, recorder, campaign, apiKey, world } = run;
  const { environment, limits } = campaign.manifest;
  const total = options.concurrency ?? limits.total;
  const connection = await connectService(environment, {
    apiKey,
    emulatorData: campaign.emulatorData,
    concurrency: total,
    clock: world.clock,
    deadlines: world.deadlines,
    requestTimeouts: world.requestTimeouts,
    trace: world.trace,
    profile: world.profile,
  });
  const renderer = await createRenderer(plan, output, options);
  const watch = watchRun();
  const failures = collectFailures(plan, {
    locate: campaign.manifest.locate,
    naming: (problem, address) =>
      withPhotos(problem, address, { graph: campaign.graph, state: recorder.state }),
  });
  const emit = (event: RunEvent) => {
    watch.take(event);
    renderer.show(failures.take(event));
  };
  try {
    for (const { from, to } of plan.moves) emit({ type: 'node-moved', from, to });
    emit({ type: 'planned', ...summarise(plan), new_posts: plan.newPosts, work: countWork(plan.nodes) });
    const report = await runPlan({
      nodes: await noteOrigin(plan.nodes, campaign.manifest),
      steps: createSteps(stepIo(run, connection)),
      recorder,
      limits: { ...limits, total },
      clock: world.clock,
      random: world.random,
      now,
      stop,
      waiting: options.wait ? 'all' : 'submit-only',
      ...(options.deadline === undefined ? {} : { deadlineMs: options.deadline }),
      failFast: options.failFast ? 'stop' : 'continue',
      onResume: () => connection.client.woke(),
      emit,
    });
    renderer.close();
    const counts = countRun(plan, [...plan.nodes, ...report.added], {
      ends: report.ends,
      files: watch.files,
    });
    const { causes } = watch;
    const isMisconfigured = causes.has('base-url') || causes.has('connection');
    const exit = strongestExit([
      exitOf(plan, counts, report.ends),
      ...stopCodes(report, stop).map((code) =>
        code === EXIT.authentication && isMisconfigured ? EXIT.configuration : code,
      ),
      ...(causes.has('disk') ? [EXIT.cannotWrite] : []),
    ]);
    const { ends, writeError } = report;
    const isAsBefore = plan.nodes.every(({ address }) => ends.get(address) === 'unchanged');
    const told = { failures: failures.list(), ...watch.told() };
    return { end: { exit, counts, ...told }, writeError, isAsBefore };
  } finally {
    renderer.close();
    await connection.close();
  }
}

function stepIo({ campaign: { manifest, readAt }, recorder, world }: PlannedRun, { client }: Connection) {
  const { gaps } = manifest.environment;
  return {
    client,
    folder: manifest.folder,
    photosReadAt: readAt,
    outputs: manifest.outputs,
    clock: world.clock,
    random: world.random,
    links: createLinks(client.redact),
    lookup: createMediaLookup(gaps.mediaPath ?? recorder.state.learned.get(LEARNED_MEDIA_PATH)),
    madeProducts: madeProducts(recorder.state),
    names: createKnownNames(recorder.state),
    requested: requestedIn(recorder.state),
    form: gaps.form ?? 'schema',
    statuses: gaps.statuses ?? {},
    mediaUrls: gaps.mediaUrls,
    mediaTimeoutMs: manifest.limits.mediaTimeoutMs,
  } as const;
}

const STOP_CODES: Readonly<Record<StopReason, ExitCode>> = {
  signal: EXIT.sigint,
  deadline: EXIT.incomplete,
  'fail-fast': EXIT.failed,
  unavailable: EXIT.unavailable,
  unauthorized: EXIT.authentication,
  'creates-ended': EXIT.undecided,
  'cannot-write': EXIT.cannotWrite,
};

function stopCodes({ stopped }: RunReport, { exit }: SignalStop): ExitCode[] {
  return [...stopped].map((reason) =>
    reason === 'signal' ? (exit ?? STOP_CODES.signal) : STOP_CODES[reason],
  );
}

function unlessWriteError(error: unknown): void {
  if (!(error instanceof StateWriteError)) throw error;
}
