/** One process of `campaign` in a crash world: real plan, engine, steps and state; it may die at any moment. */
import { runNodes } from '../../src/app/run-nodes.ts';
import type { AppEvent } from '../../src/app/runtime.ts';
import { EXIT } from '../../src/model/exit.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { RunSums } from '../../src/views/run-counts.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { moveEvents } from '../../src/match/moves.ts';
import { planDestroy } from '../../src/plan/plan-destroy.ts';
import { createLogEnds } from '../../src/store/file/log-ends.ts';
import type { Checkpoint } from '../../src/store/file/checkpoint.ts';
import { ReplacedError } from '../../src/store/write-error.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import type { OpenState, Store, WritableState, Writing } from '../../src/store/store.ts';
import type { Result } from '../../src/util/result.ts';
import type { FatalProblem } from '../../src/model/problem.ts';
import type { Witnesses } from '../../src/store/file/witnesses.ts';
import type { Clock } from '../../src/util/clock.ts';
import { campaignOf, type CampaignWords } from './campaign.ts';
import type { PlanOptions } from './play-plan.ts';
import type { DiskProcess } from './crash-disk.ts';
import { asProcess } from './crash-fs.ts';
import { type CrashRun, noteCall, noteEvents, startRun } from './crash-run.ts';
import { type CrashWorld, STATE_FILE } from './crash-world.ts';
import { createMemoryStore } from './memory-store.ts';
import { NO_WITNESSES } from './no-witnesses.ts';
import { planGraph } from './play-plan.ts';
import { createSimulatedClient, type SimulatedClientOptions } from './simulated-client.ts';
import { simulatedRuntime, simulatedSteps, TO_THE_END } from './simulated-apply.ts';

/** What one apply is told. */
export interface CrashApply {
  readonly words: CampaignWords;
  readonly plan?: Partial<PlanOptions>;
  /** What is carried out instead of the plan of an apply. */
  readonly planned?: (graph: Graph, state: RunState) => Plan;
  readonly fault?: SimulatedClientOptions['fault'];
  /** It was told to make again what is gone at the service. */
  readonly recreates?: boolean;
  /** It is no apply: everything that the state made is deleted. */
  readonly destroys?: true;
  /** Hears the plan before it is carried out, what happens, and what the run says at its end. */
  readonly hear?: {
    readonly planned: (plan: Plan) => void;
    readonly event: (event: RunEvent) => void;
    readonly ended: (sums: RunSums) => void;
  };
  /** How it goes otherwise than to its end; `interrupted`: stopped as by Ctrl-C after so many events. */
  readonly goes?: 'submit-only' | { readonly interrupted: number };
  /** Facts that the run learns over and over: they make a log grow and its state not. */
  readonly chatter?: number;
}

/** How a process ended. `idle`: there was nothing to do. */
export type ProcessEnd =
  | { readonly type: 'died' }
  | { readonly type: 'refused'; readonly problem: FatalProblem }
  | { readonly type: 'unwritable'; readonly error: Error }
  | { readonly type: 'ended' | 'idle' };

export const IDENTITY = { campaign: 'spring', environment: 'emulator', baseUrl: 'emulator' };
const AT = '2026-01-01T00:00:00.000Z';

/** Runs one apply until it has ended or died. */
export function applyOnce(world: CrashWorld, apply: CrashApply): Promise<ProcessEnd> {
  const command = {
    name: 'apply',
    retries: apply.plan?.retryFailed === undefined && !apply.recreates ? 'goes-on' : 'retries',
  } as const;
  return inState(world, command, (state, process, run) => carryOut(world, apply, { state, process, run }));
}

interface Running {
  readonly state: WritableState;
  readonly process: DiskProcess;
  readonly run: CrashRun;
}

async function carryOut(
  world: CrashWorld,
  apply: CrashApply,
  { state, process, run }: Running,
): Promise<ProcessEnd> {
  const { recorder } = state;
  const planAll = (graph: Graph, known: RunState) => planDestroy(graph, known, 'stay');
  const planApply = (graph: Graph, known: RunState) =>
    planGraph(graph, known, { now: world.clock.now(), ...apply.plan });
  const campaign = campaignOf(apply.words, { total: 4 });
  const { planned: planOf = apply.destroys ? planAll : planApply } = apply;
  const plan = planOf(campaign.graph, recorder.state);
  if (isIdle(plan)) return { type: 'idle' };
  recorder.note(chatterOf(apply.chatter ?? 0));
  await recorder.append(moveEvents(plan.moves, AT));
  const clock: Clock = {
    ...world.clock,
    after: (ms, fire) => world.clock.after(ms, () => void (process.dead || fire())),
  };
  const { client } = createSimulatedClient({
    service: world.service,
    clock: world.clock,
    latency: () => 50 + 100 * world.random(),
    fault: (call) => (process.dead ? 'refused' : apply.fault?.(call)),
    watch: noteCall,
  });
  const simulated = simulatedRuntime({ client, clock, random: world.random }, (io) =>
    world.watch(simulatedSteps(io), run),
  );
  const { hear, goes } = apply;
  hear?.planned(plan);
  const stop = stopAfter(typeof goes === 'object' ? goes.interrupted : Number.POSITIVE_INFINITY);
  const emit = (event: AppEvent) => {
    hear?.event(event as RunEvent);
    stop.count();
  };
  const runtime = hear ? { ...simulated, emit } : simulated;
  const waiting = goes === 'submit-only' ? goes : TO_THE_END.waiting;
  const planned = {
    campaign,
    plan,
    recorder: noteEvents(recorder, run),
    apiKey: 'simulated',
    lineage: undefined,
  };
  const work = runNodes(runtime, planned, { ...TO_THE_END, waiting, stop });
  const ran = await world.clock.runUntil(Promise.race([work, process.died]));
  if (!ran) return { type: 'died' };
  const { report, end } = ran;
  if (report.writeError) throw report.writeError;
  hear?.ended(end);
  const isAsBefore = [...report.ends.values()].every((end) => end === 'unchanged' || end === 'blocked');
  return { type: onlyLooks(plan) && isAsBefore ? 'idle' : 'ended' };
}

/** A signal that comes after so many events. */
function stopAfter(events: number) {
  const listeners = new Set<() => void>();
  let left = events;
  return {
    count(): void {
      left -= 1;
      if (left === 0) for (const listener of listeners) listener();
    },
    get level() {
      return left > 0 ? ('run' as const) : ('drain' as const);
    },
    get exit() {
      return left > 0 ? undefined : EXIT.sigint;
    },
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    release() {},
  };
}

/** Nothing left that a run could do, but look once more for what failed; it is done only if that changes nothing. */
function isIdle({ nodes, moves }: Plan): boolean {
  return moves.length === 0 && nodes.listed.every(({ action }) => action === 'blocked');
}

function onlyLooks({ nodes, moves }: Plan): boolean {
  const looks = new Set(nodes.flatMap((node) => (node.kind === 'media' && node.again ? [node.address] : [])));
  return (
    moves.length === 0 &&
    nodes.listed.every(
      ({ address, kind, action, dependsOn }) =>
        action === 'blocked' ||
        looks.has(address) ||
        (kind === 'download' && dependsOn.some((each) => looks.has(each))),
    )
  );
}

function chatterOf(count: number): StateEvent[] {
  // Few and long: what a log costs to read is its lines.
  const value = 'long '.repeat(800);
  return Array.from({ length: count }, () => ({ type: 'learned', at: AT, name: 'chatter', value }));
}

/** What git would remember of a log; it compares records, not bytes. */
export function checkpointOf(log: Buffer): Checkpoint | undefined {
  const ends = createLogEnds();
  ends.take(log);
  return ends.checkpoint();
}

function witnessesOf({ head }: Pick<CrashWorld, 'head'>): Witnesses {
  const checkpoint = head && checkpointOf(head);
  const none = { type: 'none' } as const;
  const log = checkpoint && ({ type: 'log', blob: 'HEAD', checkpoint, isSettled: false } as const);
  return { ...NO_WITNESSES, committed: () => Promise.resolve(log ?? none) };
}

/** The store of a world, as a process of it sees it. */
export function storeOf({ memory, ...world }: CrashWorld, process: DiskProcess): Store {
  if (!memory)
    return createFileStore({ file: STATE_FILE, identity: IDENTITY, witnesses: witnessesOf(world) });
  return createMemoryStore(memory, {
    identity: IDENTITY,
    isAlive: () => !process.dead,
    change: (bytes, effect) =>
      // All events of an append or none of them.
      process.disk.operate(process, { kind: 'write', path: MEMORY, bytes }, (taken) => {
        if (taken === bytes) effect();
      }),
  });
}

/** The name of the place in memory, among the operations of the disk. */
export const MEMORY = '/memory';

/** The state as somebody sees it who only looks. */
export function readState(world: CrashWorld): Promise<Result<OpenState, FatalProblem>> {
  const process = world.disk.start();
  return asProcess(process, () => storeOf(world, process).read());
}

/** How the next run writes the state. */
function writing({ clock, runs }: CrashWorld, command: string): Writing {
  return {
    lockTimeoutMs: 0,
    clock,
    runId: `run-${runs.length}`,
    command: `campaign ${command}`,
    newLineage: () => `lineage-${runs.length}`,
    begin: {
      type: 'run-started',
      at: AT,
      command,
      version: '0.1.0',
      manifest: 'campaign.yaml',
      by: 'anna@studio',
    },
  };
}

/** The state as the next run will have it, tried on a copy of the disk. */
export function tryNextRun(world: CrashWorld): Promise<Result<WritableState, FatalProblem>> {
  const process = world.disk.copy().start();
  return asProcess(process, () => storeOf(world, process).write(writing(world, 'apply')));
}

/** Opens the state in a process of its own and closes it again, as a command does. */
export async function inState(
  world: CrashWorld,
  { name, retries }: { readonly name: string; readonly retries: 'retries' | 'goes-on' },
  act: (state: WritableState, process: DiskProcess, run: CrashRun) => Promise<ProcessEnd>,
): Promise<ProcessEnd> {
  const process = world.disk.start();
  const run = startRun(process, retries);
  world.runs.push(run);
  const live = async (): Promise<ProcessEnd> => {
    const opened = await storeOf(world, process).write({
      ...writing(world, name),
      tellSpilled: (lines) => {
        run.told += lines;
      },
    });
    if (!opened.ok) return { type: 'refused', problem: opened.error };
    try {
      return await act(opened.value, process, run);
    } finally {
      await opened.value.close('compact');
    }
  };
  const died = process.died.then((): ProcessEnd => ({ type: 'died' }));
  try {
    const ended = asProcess(process, () => live().catch((error: unknown) => unwritable(error, world)));
    const end = await Promise.race([ended, died]);
    run.died = end.type === 'died';
    return end;
  } finally {
    process.end();
  }
}

/** What the disk refused because it was told to, and a log that was replaced; everything else is a bug. */
function unwritable(error: unknown, { runs, replaced }: CrashWorld): ProcessEnd {
  const faults = runs.at(-1)?.process.faults ?? [];
  const isPlayed = (reason: Error) =>
    faults.includes(reason) || (replaced && reason instanceof ReplacedError);
  if (!(error instanceof Error) || !reasonsOf(error).some(isPlayed)) throw error;
  return { type: 'unwritable', error };
}

function reasonsOf(error: Error): Error[] {
  return [error, ...(error.cause instanceof Error ? reasonsOf(error.cause) : [])];
}
