/** A worker: takes part in every run of the database for which it has the key and the files, until it is stopped. */
import path from 'node:path';
import { pauseFor } from '../engine/pause.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { NodeKind } from '../model/kinds.ts';
import { EXIT } from '../model/exit.ts';
import type { Problem } from '../model/problem.ts';
import type { OpenRun } from '../store/shared-run.ts';
import type { WorkerPlace } from '../store/open-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { err, ok } from '../util/result.ts';
import { diskExit, diskProblem, fileProblem } from './disk-problem.ts';
import { awaitEnd } from './end-shared-run.ts';
import { shareRunOutputs } from './hold-outputs.ts';
import type { OutputHold } from './lock-folder.ts';
import { databaseWaits } from './open-for-run.ts';
import { storageOfRun } from './open-storage.ts';
import { specFrom } from './run-spec.ts';
import { storedHead, storeIndex } from './stored-index.ts';
import type { Runtime } from './runtime.ts';
import { keyForRun } from './why-not-taken.ts';
import { workShare } from './work-share.ts';

const LOOK_MS = 1_000;
/** What a process cannot take part in is left alone for so long. */
const REST_MS = 5_000;

export type WorkerEvent =
  | { readonly type: 'ready' }
  /** It looks again in a moment. `run`: it leaves this run to others until then. */
  | { readonly type: 'waiting'; readonly problem: Problem; readonly run?: number }
  /** What the database does not take, as lines of the log; the file that has them is told by a problem. */
  | { readonly type: 'unrecorded'; readonly lines: string }
  /** Such lines are recorded now. */
  | { readonly type: 'taken-in'; readonly summary: string }
  | {
      readonly type: 'joined' | 'left';
      readonly run: number;
      readonly campaign: string;
      readonly environment: string;
    };

interface Worker {
  readonly seat: WorkerPlace;
  /** In each run, so many nodes at most are under way here at once. */
  readonly slots: number;
  /** What it takes; absent: all. */
  readonly kinds?: readonly NodeKind[] | undefined;
  /** The storage that it has access to. */
  readonly storage?: { readonly url: string; readonly objects: ObjectStore } | undefined;
  readonly stop: StopSignal;
  readonly tell: (event: WorkerEvent) => void;
  /** What to tell of an error that nobody has expected; of the same one the same. */
  readonly bug: (error: unknown) => Problem;
}

/** Ends after a stop, once what it has begun has ended or was handed back. */
export async function workRuns(runtime: Runtime, worker: Worker): Promise<void> {
  const { seat, storage, stop, tell, bug } = worker;
  const shares = new Map<number, Promise<void>>();
  const rests = new Map<number, number>();
  const { clock } = runtime;
  let isReady = false;
  let told: string | undefined;
  /** Of each run that is left to others, why: that is told once. */
  const left = new Map<number, string | undefined>();
  const takeUp = createTakeUp(runtime, worker);
  const leave = (run: number, problem: Problem) => {
    const why = problem.code === 'bug' ? problem.detail : problem.code;
    if (left.get(run) !== why) tell({ type: 'waiting', problem, run });
    left.set(run, why);
  };
  const attend = async (open: OpenRun, apiKey: string) => {
    const waits = (why: string) => {
      const problem = { code: 'database-unreachable', ...databaseWaits(why) };
      // Where it is away for all, that is told already.
      if (told === undefined) tell({ type: 'waiting', problem, run: open.id });
    };
    const problem = await takePart(runtime, worker, { open, apiKey, waits }).catch(bug);
    shares.delete(open.id);
    if (!problem) return void left.delete(open.id);
    rests.set(open.id, clock.monotonic() + REST_MS);
    leave(open.id, problem);
  };
  try {
    while (stop.level === 'run') {
      const found = await seat.look([...shares.keys()]);
      if (found.ok) {
        if (!isReady) tell({ type: 'ready' });
        isReady = true;
        told = undefined;
        await takeUp();
        for (const open of found.value) {
          if (shares.has(open.id) || (rests.get(open.id) ?? 0) > clock.monotonic()) continue;
          const apiKey = await keyForRun(runtime, open, storage?.url).catch((error: unknown) =>
            err(bug(error)),
          );
          if (!apiKey.ok) {
            leave(open.id, apiKey.error);
            continue;
          }
          shares.set(open.id, attend(open, apiKey.value));
        }
      } else if (told !== found.error.code) {
        told = found.error.code;
        tell({ type: 'waiting', problem: found.error });
      }
      await pauseFor(LOOK_MS, clock, stop);
    }
    await Promise.all(shares.values());
  } finally {
    await seat.leave();
  }
}

/** Records what an earlier worker in this folder, or this one, could not; why that is impossible is told once. */
function createTakeUp({ clock }: Runtime, { seat, tell, bug }: Worker): () => Promise<void> {
  const known = new Set<string | undefined>();
  return async () => {
    // Whatever is the matter with these files is no reason to leave the runs that it works at.
    const taken = await seat.takeUp(path.resolve(), clock).catch((error: unknown) => ({
      ok: true as const,
      value: { told: [], left: [fileProblem(error) ?? diskProblem(error) ?? bug(error)] },
    }));
    const { told, left } = taken.ok ? taken.value : { told: [], left: [taken.error] };
    for (const summary of told) tell({ type: 'taken-in', summary });
    for (const problem of left) {
      if (!known.has(problem.detail)) tell({ type: 'waiting', problem });
      known.add(problem.detail);
    }
  };
}

interface Part {
  readonly open: OpenRun;
  readonly apiKey: string;
  readonly waits: (why: string) => void;
}

/** Why it could not, or not until the end. */
async function takePart(
  runtime: Runtime,
  { seat, slots, kinds, storage: stored, stop, tell }: Worker,
  { open, apiKey, waits }: Part,
): Promise<Problem | undefined> {
  const begun = specFrom(open.spec);
  const { pointer } = begun;
  const known = begun.files !== undefined && stored ? await storedHead(stored.objects, begun) : ok(undefined);
  if (!known.ok) return known.error;
  const heads = known.value ? [known.value] : [];
  const work = path.resolve('.campaign');
  const keeping = { work, tell: (lines: string) => tell({ type: 'unrecorded', lines }) };
  const joined = await seat.takePart({
    run: open.id,
    clock: runtime.clock,
    kinds,
    keeping,
    waits,
    heads,
    pointer,
  });
  if (!joined.ok) return joined.error;
  const run = joined.value;
  if (!run) return undefined;
  const spec = specFrom(run.spec);
  const names = {
    run: run.id,
    campaign: spec.name,
    environment: spec.environment.name,
  };
  tell({ type: 'joined', ...names });
  const here = { workFolder: work, id: runtime.newId().slice(0, 8) };
  const isStored = spec.files !== undefined && stored;
  const storage = isStored ? await storageOfRun(stored.objects, spec, here) : undefined;
  let hold: OutputHold | undefined;
  try {
    const held = await shareRunOutputs(runtime, spec, { storage, command: 'campaign worker' });
    if (!held.ok) return held.error.problems[0];
    hold = held.value;
    const warn = ({ summary, detail = '' }: { readonly summary: string; readonly detail?: string }) =>
      tell({ type: 'waiting', problem: { code: 'cannot-write', summary, detail }, run: run.id });
    // As long as others work at it, it stays: whoever dies then is noticed.
    do await workShare(runtime, { run, spec, apiKey, storage, slots, stop, warn });
    while (!(await awaitEnd(runtime, { run, spec, storage, stop, work: true })));
    return undefined;
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    // Whoever comes to this log later learns from the storage that it was longer.
    if (diskExit(error) === EXIT.badState && storage)
      await storeIndex({ ...storage, manifest: spec, head: run.head }, run.recorder.state, stop);
    return problem;
  } finally {
    await run.close();
    await hold?.release();
    await storage?.release();
    tell({ type: 'left', ...names });
  }
}
