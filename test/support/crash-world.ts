/**
 * A service, a disk and a clock that outlive the processes of `campaign` that use them. What the service makes is
 * noted with the node that asked for it, whatever becomes of the process that sent the request.
 */
import { kindHas } from '../../src/model/kinds.ts';
import type { RequestedItem } from '../../src/model/payload.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { Step, Steps } from '../../src/model/step.ts';
import { isJsonObject, textOf } from '../../src/util/json.ts';
import { type CrashDisk, createCrashDisk, type Inode } from './crash-disk.ts';
import { asking, type CrashRun } from './crash-run.ts';
import { createMemoryPlace, type MemoryPlace } from './memory-store.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import {
  createSimulatedService,
  type Making,
  type SimulatedReply,
  type SimulatedService,
} from './simulated-service.ts';

/** One object that the service made. */
export interface Made {
  readonly kind: string;
  readonly id: string;
  readonly node: PlannedNode;
  /** Ids of the posts that are made with it. */
  readonly media: readonly string[];
  /** Fingerprints of its items whose generation fails. */
  readonly failing: ReadonlySet<string>;
  /** Whether the run was told to make again what had failed or is gone. */
  readonly asked: boolean;
}

export interface CrashWorld {
  readonly clock: ManualClock;
  readonly disk: CrashDisk;
  /** Where the state is kept: undefined for the disk. */
  readonly memory: MemoryPlace | undefined;
  readonly service: SimulatedService;
  readonly made: readonly Made[];
  /** The log that was the newest when something else put another in its place, and during which run that was. */
  replaced: { readonly log: Inode; readonly run: CrashRun | undefined } | undefined;
  /** The state as git's HEAD has it, for a campaign in a repository. */
  head: Buffer | undefined;
  /** How often a run was refused because of a log that had taken the place of the newest one. */
  putBack: number;
  /** Ids of what somebody else has deleted at the service. */
  readonly takenAway: Set<string>;
  /** Every run so far. */
  readonly runs: CrashRun[];
  readonly random: () => number;
  /** The steps of a process, which say whose requests are whose. */
  watch(steps: Steps, run: CrashRun): Steps;
}

/** Where the state lies on a crash disk. */
export const STATE_FILE = '/campaign/campaign.emulator.state.jsonl';

/** Which store keeps the state: a file on the disk, or one in memory whose changes fail as the disk's do. */
export type Storage = 'file' | 'memory';

/** A world in which nothing exists yet. `fate`: how the making of an item goes, by its description. */
export function createCrashWorld(
  random: () => number,
  fate: (description: string, nth: number) => Making['fate'] = () => undefined,
  storage: Storage = 'file',
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
        return asking.run({ node: job.node, run }, () => step.run(job, signal));
      },
    };
  }

  return {
    clock,
    disk: createCrashDisk(['/campaign']),
    memory: storage === 'memory' ? createMemoryPlace() : undefined,
    made,
    replaced: undefined,
    head: undefined,
    putBack: 0,
    takenAway: new Set(),
    runs: [],
    random,
    service: {
      ledger: service.ledger,
      answer(request) {
        const { node, run } = asking.getStore() ?? {};
        queue = node && kindHas(node, 'stored', 'request') ? node.payload.items : [];
        failing = new Set();
        const before = service.ledger.length;
        const reply = service.answer(request);
        for (const { kind, id, action } of service.ledger.slice(before)) {
          if (action !== 'create' || !node || kind === 'upload') continue;
          made.push({ kind, id, node, media: mediaOf(reply), failing, asked: run?.retries ?? false });
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

/** Ids of the items that an answer says were made. */
function mediaOf({ data }: SimulatedReply): string[] {
  const items = isJsonObject(data) ? data['items'] : undefined;
  return Array.isArray(items) ? items.map((item) => textOf(isJsonObject(item) ? item['id'] : undefined)) : [];
}
