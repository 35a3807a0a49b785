/**
 * A service, a disk and a clock that outlive the processes of `campaign` that use them. What the service makes is
 * noted with the node that asked for it, whatever becomes of the process that sent the request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestedItem } from '../../src/model/payload.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { Step, Steps } from '../../src/model/step.ts';
import { type CrashDisk, createCrashDisk, type DiskProcess } from './crash-disk.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createSimulatedService, type Making, type SimulatedService } from './simulated-service.ts';

/** One object that the service made. */
export interface Made {
  readonly kind: string;
  readonly id: string;
  readonly node: PlannedNode;
  /** Fingerprints of its items whose generation fails. */
  readonly failing: ReadonlySet<string>;
}

/** What a run has done that matters after it is gone. */
export interface CrashRun {
  readonly process: DiskProcess;
  /** Intents that it handed to the log. */
  readonly intents: Set<string>;
  /** Nodes whose request left. */
  readonly sent: Set<string>;
  /** Lines that the log did not take any more. */
  told: string;
  /** Whether what the log did not take, if there was any, was kept in a file. */
  isKept: boolean;
  died: boolean;
}

export interface CrashWorld {
  readonly clock: ManualClock;
  readonly disk: CrashDisk;
  readonly service: SimulatedService;
  readonly made: readonly Made[];
  /** Every run so far. */
  readonly runs: CrashRun[];
  readonly random: () => number;
  /** The steps of a process, which say whose requests are whose. */
  watch(steps: Steps, run: CrashRun): Steps;
}

/** Whose request is being sent. One for all worlds: each storage that there is costs every promise some time. */
const asking = new AsyncLocalStorage<PlannedNode>();

/** Where the state lies on a crash disk. */
export const STATE_FILE = '/campaign/campaign.emulator.state.jsonl';

/** A world in which nothing exists yet. `fate`: how the making of an item goes, by its description. */
export function createCrashWorld(
  random: () => number,
  fate: (description: string, nth: number) => Making['fate'] = () => undefined,
): CrashWorld {
  const clock = createManualClock();
  const made: Made[] = [];
  const requested = new Map<string, number>();
  /** Items of the request that is being answered. */
  let queue: readonly RequestedItem[] = [];
  let failing = new Set<string>();
  const service = createSimulatedService({
    clock,
    making() {
      const [item, ...rest] = queue;
      queue = rest;
      const description = item?.payload.descriptions.join() ?? '';
      const nth = (requested.get(description) ?? 0) + 1;
      requested.set(description, nth);
      const end = fate(description, nth);
      if (item && end === 'fails') failing.add(item.fingerprint);
      return { ms: 1000, ...(end && { fate: end }) };
    },
  });

  function note(step: Step, run: CrashRun): Step {
    return {
      ...step,
      run(job, signal) {
        run.sent.add(job.node.address);
        return asking.run(job.node, () => step.run(job, signal));
      },
    };
  }

  return {
    clock,
    disk: createCrashDisk(['/campaign']),
    made,
    runs: [],
    random,
    service: {
      ledger: service.ledger,
      answer(request) {
        const node = asking.getStore();
        queue = node?.kind === 'media-config' ? node.payload.items : [];
        failing = new Set();
        const before = service.ledger.length;
        const reply = service.answer(request);
        for (const { kind, id, action } of service.ledger.slice(before)) {
          if (action === 'create' && node && kind !== 'upload') made.push({ kind, id, node, failing });
        }
        return reply;
      },
    },
    watch: (steps, run) => ({
      ...steps,
      product: note(steps.product, run),
      concept: note(steps.concept, run),
      'media-config': note(steps['media-config'], run),
    }),
  };
}

/** Notes the intents among events that go to the log. */
export function noteIntents(events: readonly StateEvent[], run: CrashRun): void {
  for (const event of events) if (event.type === 'intent') run.intents.add(event.address);
}
