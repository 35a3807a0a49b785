import type { PlannedNode } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import type { Facts } from '../../src/model/facts.ts';
import { inMemory } from '../../src/engine/in-memory.ts';
import type { LimitSettings } from '../../src/engine/limits.ts';
import type { RunOptions } from '../../src/engine/run.ts';
import { type RunReport, runPlan } from '../../src/engine/run-plan.ts';
import { createServiceLimits, type ServiceLimits } from '../../src/engine/service-limits.ts';
import type { StopSignal } from '../../src/engine/stopping.ts';
import { done } from './facts.ts';
import { createHeldSteps, type HeldSteps } from './held-steps.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createMemoryRecorder, type MemoryRecorder } from './memory-recorder.ts';
import { resultFor } from './planned-nodes.ts';

export interface EngineRig {
  readonly clock: ManualClock;
  readonly recorder: MemoryRecorder;
  readonly held: HeldSteps;
  readonly events: readonly RunEvent[];
  readonly report: Promise<RunReport>;
  /** Raises the stop signal. */
  stop(level: 'drain' | 'now'): Promise<void>;
  /** Answers the next attempt of a node, as done unless said otherwise, and lets the engine take it in. */
  answer(address: string, facts?: Facts): Promise<void>;
  /** How everything ended, as plain data. */
  ends(): Promise<Record<string, string>>;
  /** The log's events as `type address`. */
  logged(): readonly string[];
}

export type RigOptions = Partial<
  Omit<RunOptions, 'recorder' | 'clock' | 'work' | 'admission' | 'progress'>
> & {
  readonly nodes: readonly PlannedNode[];
  readonly limits?: Partial<LimitSettings>;
  /** Of an earlier run. */
  readonly service?: ServiceLimits;
  readonly recorder?: MemoryRecorder;
  readonly clock?: ManualClock;
};

export function rigService(clock: ManualClock, limits: Partial<LimitSettings> = {}): ServiceLimits {
  const settings = { total: 8, perKind: {}, mediaInFlight: 200, ...limits };
  return createServiceLimits({ limits: settings, clock, random: () => 0.5 });
}

/** Runs a plan with a clock, steps, log and signals that the test holds. */
export function startRig({
  recorder = createMemoryRecorder(),
  clock = createManualClock(),
  nodes,
  limits,
  service,
  emit,
  ...options
}: RigOptions): EngineRig {
  const held = createHeldSteps();
  const events: RunEvent[] = [];
  const listeners = new Set<() => void>();
  const signal: { level: StopSignal['level'] } = { level: 'run' };
  const stop: StopSignal = {
    get level() {
      return signal.level;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const report = runPlan({
    ...inMemory({
      nodes,
      service: service ?? rigService(clock, limits),
      clock,
      random: () => 0.5,
      emit: emit ?? ((event) => events.push(event)),
    }),
    recorder,
    stop,
    steps: held.steps,
    now: () => new Date(clock.now()).toISOString(),
    waiting: 'all',
    ...options,
  });
  // A test that expects a rejection awaits it later.
  report.catch(() => {});
  return {
    clock,
    recorder,
    held,
    events,
    report,
    async stop(level) {
      signal.level = level;
      for (const listener of listeners) listener();
      await clock.settle();
    },
    async answer(address, facts) {
      await clock.settle();
      if (!held.held().includes(address)) throw new Error(`${address} is not under way`);
      const job = await held.next(address);
      job.respond(facts ?? done(resultFor(job.job.node)));
      await clock.settle();
    },
    ends: async () => Object.fromEntries((await report).ends),
    logged: () =>
      recorder.log.map((event) => ('address' in event ? `${event.type} ${event.address}` : event.type)),
  };
}
