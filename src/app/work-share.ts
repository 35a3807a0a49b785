/** One process's share of a shared run, by the same engine as a run of one process. */
import { createAccountShare } from '../cluster/account-share.ts';
import { createSharedWork } from '../cluster/shared-work.ts';
import { createAdmission } from '../engine/admission.ts';
import type { StopReason } from '../engine/outcome-table.ts';
import { createProgress } from '../engine/progress.ts';
import { type RunReport, runPlan } from '../engine/run-plan.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { SharedRun } from '../store/shared-run.ts';
import type { CampaignStorage } from './open-storage.ts';
import { openService, stepIo } from './run-nodes.ts';
import type { RunSpec } from './run-spec.ts';
import { withCost } from './run-spec.ts';
import { type Runtime, timestamp } from './runtime.ts';
import type { SharedServices } from './shared-services.ts';

interface Share {
  readonly run: SharedRun;
  readonly spec: RunSpec;
  readonly apiKey: string;
  /** Absent where photos and results are in the manifest's folder. */
  readonly storage?: CampaignStorage | undefined;
  /** So many nodes at most are under way here at once. */
  readonly slots: number;
  readonly stop: StopSignal;
  readonly deadlineMs?: number | undefined;
  readonly shared?: SharedServices | undefined;
  /** What those who show the run are told, too. */
  readonly warn?: ((event: EventOf<'warning'>) => void) | undefined;
  /** What this process still awaits; the others go on. */
  readonly stopping?: ((event: EventOf<'run-stopping'>) => void) | undefined;
}

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;

/** Ends once the run has ended, or this process is stopped. What stops all of the run is told to the others. */
export async function workShare(runtime: Runtime, share: Share): Promise<void> {
  const { run, spec, apiKey, slots, shared } = share;
  const here = Math.min(slots, spec.limits.total);
  // The others count here: those of this process are those of the account. One more than its slots, because the engine keeps
  // one free for polls and downloads: a slot of the account that nobody else could use meanwhile.
  const { requestsPerSecond: _, ...ours } = spec.limits;
  const limits = { ...ours, total: here + 1, mediaInFlight: Number.POSITIVE_INFINITY };
  const ofRun = { manifest: { ...spec, limits }, emulatorData: '', apiKey, dated: spec.dated };
  const service = await openService(runtime, ofRun, { shared });
  try {
    const { writeError, stopped } = await runShare(runtime, share, { service, slots: here });
    service.stopped(stopped);
    if (writeError) throw writeError;
    const reasons = stopped.has('signal')
      ? [...stopped].filter((reason) => !ENDS_LITTLE.has(reason))
      : [...stopped];
    if (reasons.length > 0) await run.stop(reasons);
  } finally {
    await service.close();
  }
}

/** After these the others go on: with everything, or with everything but creates. */
const ENDS_LITTLE: ReadonlySet<StopReason> = new Set(['signal', 'over-budget', 'creates-ended']);

interface Here {
  readonly service: Awaited<ReturnType<typeof openService>>;
  readonly slots: number;
}

async function runShare(
  runtime: Runtime,
  { run, spec, storage, stop, deadlineMs, warn, stopping }: Share,
  { service, slots }: Here,
): Promise<RunReport> {
  const { clock, random } = runtime;
  const { waiting, failFast, readAt, lineage } = spec;
  const emit = (event: RunEvent) => {
    if (event.type === 'warning') warn?.(event);
    if (event.type === 'run-stopping') return stopping?.(event);
    // How well the service keeps up with this process says nothing about the others.
    if (event.type !== 'load-changed') run.tell(event);
  };
  const now = () => timestamp(runtime);
  const account = createAccountShare({ run, clock });
  const admission = createAdmission({ service: service.limits, clock, shared: account.limits });
  const work = createSharedWork({
    run,
    admission,
    account,
    slots,
    clock,
    now,
    emit,
    isStopping: () => stop.level !== 'run',
    isStored: storage !== undefined,
  });
  const io = stepIo(
    runtime,
    { manifest: spec, readAt, state: run.recorder.state, storage, lineage },
    service,
  );
  const report = await runPlan({
    work,
    admission,
    progress: createProgress({ clock, emit }),
    steps: await runtime.createSteps(io),
    recorder: withCosts(run.recorder, spec),
    clock,
    random,
    now,
    stop,
    waiting,
    deadlineMs,
    failFast,
    onResume: () => service.client.woke(),
    emit,
  });
  // What was claimed and did not start, others may take; a run that was stopped ends once nobody has any of it.
  const left = work.lost ? [] : await work.idle();
  await run.handBack(left.map(({ node }) => node.address));
  return work.lost ? { writeError: work.lost, ...report } : report;
}

function withCosts(recorder: Recorder, spec: RunSpec): Recorder {
  const priced = (event: StateEvent): StateEvent =>
    event.type === 'intent' && event.request ? { ...event, request: withCost(event.request, spec) } : event;
  return {
    get state() {
      return recorder.state;
    },
    append: (events) => recorder.append(events.map(priced)),
    note: (events) => recorder.note(events),
  };
}
