/** The end of a shared run, by whichever process comes to it: the index of the results, and the record of how it ended. */
import { SILENT } from '../cluster/judge-claim.ts';
import { endedUnstarted } from '../cluster/shared-work.ts';
import { EXIT_OF_STOP, type StopReason } from '../engine/outcome-table.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { EXIT, strongestExit } from '../model/exit.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import { lettingGoEvents } from '../plan/left-alone.ts';
import type { SharedRun } from '../store/shared-run.ts';
import { countRun } from '../views/run-counts.ts';
import { writeIndex } from './output-index.ts';
import { earlierFailures, exitOfRun, type RunEnd, runFinished } from './run-end.ts';
import { stopCodes } from './run-nodes.ts';
import type { CampaignStorage } from './open-storage.ts';
import { planOf, type RunSpec } from './run-spec.ts';
import { type Runtime, timestamp } from './runtime.ts';
import type { storeIndex } from './stored-index.ts';
import { watchRun } from './watch-run.ts';

interface Ended {
  readonly run: SharedRun;
  readonly spec: RunSpec;
  /** Absent where the results are in the manifest's folder, or this process has no access to them. */
  readonly storage?: CampaignStorage | undefined;
}

/** True where this process has ended it. */
export async function endSharedRun(
  runtime: Runtime,
  { run, spec, storage }: Ended,
  stop?: StopSignal,
): Promise<boolean> {
  return run.finish(async () => {
    const plan = planOf(spec, await run.nodes(outlineOf));
    const watch = watchRun(plan, { locate: () => undefined, naming: (problem) => problem });
    await eachTold(run, (event) => void watch.take(event));
    for (const node of await run.endLost()) {
      const event = endedUnstarted({ node, end: 'unknown', problem: SILENT });
      watch.take(event);
      run.tell(event);
    }
    let end = await sharedEnd(run, { plan, watch });
    await writeIndex(runtime.disk, spec, { state: run.recorder.state, lineage: spec.lineage });
    const unstored = storage && (await storeIndexOf({ ...storage, manifest: spec }, run, stop));
    // The next run writes it.
    if (unstored) end = { ...end, exit: strongestExit([end.exit, EXIT.cannotWrite]) };
    const at = timestamp(runtime);
    await run.recorder.append([...lettingGoEvents(plan, end.exit, at), runFinished(end, at)]);
  });
}

/** As much of a node as counting needs: a process has the state of the whole campaign in its memory already. */
export function outlineOf(node: PlannedNode): PlannedNode {
  const { inputs: _, ...rest } = { inputs: undefined, ...node };
  const { post, take } = node.payload as Partial<Record<'post' | 'take', unknown>>;
  return { ...rest, reasons: NONE, dependsOn: NONE, payload: { post, take } } as unknown as PlannedNode;
}

const NONE: readonly never[] = [];

interface Ending extends Ended {
  /** Absent: whatever happens, it is awaited. */
  readonly stop?: StopSignal;
  /** Whether this process would work on what a late answer has opened again. */
  readonly work?: boolean;
}

/** Ends the run, or waits until another process has. False where there is work again. */
export async function awaitEnd(
  runtime: Runtime,
  { run, spec, storage, stop: signal, work }: Ending,
): Promise<boolean> {
  for (;;) {
    if (signal && signal.level !== 'run') return true;
    const { isOver, isLeft, active, stop } = await run.look();
    if (isOver) return true;
    const isDone = !isLeft || (stop.length > 0 && active === 0);
    if (isDone && (await endSharedRun(runtime, { run, spec, storage }, signal))) return true;
    await pause(runtime);
    if (work && isLeft && stop.length === 0) return false;
  }
}

/** Among the reasons of a run's stop: no process of it was interrupted, so it ends like one that has left something. */
export const STOPPED_BY_COMMAND = 'stopped';

const LOOK_MS = 250;

export function pause({ clock }: Pick<Runtime, 'clock'>): Promise<void> {
  return new Promise((resolve) => clock.after(LOOK_MS, resolve));
}

async function storeIndexOf(
  stored: Parameters<typeof storeIndex>[0],
  { recorder, head }: SharedRun,
  stop: StopSignal | undefined,
) {
  const { storeIndex: store } = await import('./stored-index.ts');
  return store({ ...stored, head }, recorder.state, stop);
}

interface Watched {
  readonly plan: ReturnType<typeof planOf>;
  readonly watch: ReturnType<typeof watchRun>;
}

/** How a shared run has ended, from how its nodes have. */
export async function sharedEnd(run: SharedRun, { plan, watch }: Watched): Promise<RunEnd> {
  const { stop } = await run.look();
  const ends = await run.ends();
  const { files, causes } = watch.seen;
  const { counts, left } = countRun(
    plan,
    { ends, endOf: ({ address }) => ends.get(address), added: [] },
    files,
  );
  const exit = strongestExit([
    exitOfRun(plan, counts, ends),
    ...stopCodes({ stopped: new Set(stop.filter(isStopReason)) }, { exit: undefined }),
    ...(causes.has('disk') ? [EXIT.cannotWrite] : []),
  ]);
  return { exit, counts, left, earlier: earlierFailures(plan, ends), ...watch.told() };
}

function isStopReason(reason: string): reason is StopReason {
  return Object.hasOwn(EXIT_OF_STOP, reason);
}

export async function eachTold(run: SharedRun, take: (event: RunEvent) => void, from = 0): Promise<number> {
  for (let after = from; ; ) {
    const { events, last } = await run.told(after);
    for (const event of events) take(event);
    if (last === after) return after;
    after = last;
  }
}
