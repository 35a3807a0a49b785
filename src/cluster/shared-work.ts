/**
 * The work of one process in a shared run. What it claims stays with it until it has ended, also while it waits for the next
 * poll: for the engine it is work in memory that keeps coming in.
 */
import type { Admission } from '../engine/admission.ts';
import { createMemoryWork } from '../engine/memory-work.ts';
import type { Claim, Ended, WorkSource } from '../engine/work-source.ts';
import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { ClaimedNode, SharedRun } from '../store/shared-run.ts';
import { StateWriteError } from '../store/write-error.ts';
import type { Clock } from '../util/clock.ts';
import type { AccountShare } from './account-share.ts';
import { judgeClaim } from './judge-claim.ts';
import { createStorageTrouble } from './storage-trouble.ts';

interface SharedWorkOptions {
  readonly run: SharedRun;
  readonly admission: Pick<Admission, 'quotaOf' | 'createsEnded' | 'heard'>;
  readonly account: Pick<AccountShare, 'hasTime' | 'more' | 'pace'>;
  /** So many nodes at most are under way here at once. */
  readonly slots: number;
  readonly clock: Clock;
  readonly now: () => string;
  readonly emit: (event: RunEvent) => void;
  /** Whether this process stops: what it has not done is for others. */
  readonly isStopping: () => boolean;
  /** Whether photos and results are in a storage: then what it does not take is tried again. */
  readonly isStored: boolean;
}

/** Where nothing can be claimed, it is asked for again after so long: at first, and at most. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;
/** Until a slot is free. */
const FULL_MS = 20;

export type SharedWork = WorkSource & {
  /** Why nothing is given to this process any more, nor taken from it. */
  readonly lost: StateWriteError | undefined;
};

export function createSharedWork(options: SharedWorkOptions): SharedWork {
  const { run, isStopping, clock, account } = options;
  const local = createMemoryWork([], clock);
  /** What was claimed and does not wait: as many as its slots, and more where a poll became due before one could start. */
  const busy = new Set<Address>();
  /** What was given to the engine. */
  const running = new Set<Address>();
  const trouble = troubleOf(options);
  const loss = createLoss();
  const { unlessLost } = loss;
  const intake = createIntake(options, { local, busy, trouble, loss });
  return {
    get lost() {
      return loss.error;
    },
    open: async () => ({ nodes: [], ended: [] }),
    async claim(admit): Promise<Claim> {
      // Whatever comes first starts: a slot that is kept for what comes later would be kept for good.
      const admitted = (node: PlannedNode) => (running.size < intake.slots ? admit(node) : FULL_MS);
      for (;;) {
        // After a stop nothing is begun any more, and what was claimed for it is handed back.
        if (intake.isOver) return { type: 'none', left: 0, ms: Number.POSITIVE_INFINITY };
        const found = await local.claim(admitted);
        if (found.type === 'node') {
          for (const taken of [busy, running]) taken.add(found.node.address);
          return found;
        }
        if (!account.hasTime && (await intake.more())) continue;
        if (await unlessLost(account.more(Math.max(1, intake.slots - running.size)))) continue;
        if (intake.isOver) continue;
        return { type: 'none', left: 1, ms: Math.min(found.ms, intake.pauseMs) };
      }
    },
    async finish(ended, adds = []) {
      const { node, end } = ended;
      for (const taken of [busy, running]) taken.delete(node.address);
      await local.finish({ node, end: 'done' });
      const isLeft = isStopping() || loss.error !== undefined;
      const isForOthers = isLeft && (end === 'put-off' || end === 'pending');
      if (isForOthers || (options.isStored && trouble.isPassing(ended))) {
        await unlessLost(run.handBack([node.address]));
        return [];
      }
      const isEnded = await unlessLost(run.end(node.address, end, adds));
      intake.soon();
      return isEnded ? [ended] : [];
    },
    async wait(address, ms, adds = []) {
      for (const taken of [busy, running]) taken.delete(address);
      await local.wait(address, ms);
      if (adds.length > 0) await unlessLost(run.add(adds));
      return [];
    },
    release: (address) => local.release(address),
    dependents: () => Promise.resolve([]),
    idle: () => local.idle(),
  };
}

function troubleOf({ clock, emit }: Pick<SharedWorkOptions, 'clock' | 'emit'>) {
  return createStorageTrouble({
    clock,
    tell: ({ summary, detail = '' }) =>
      emit({ type: 'warning', summary, detail: `${detail} ${TRIED_AGAIN}`.trim() }),
  });
}

/** After what the storage, or this machine, says. */
const TRIED_AGAIN = 'A process of this run tries it again, at most every 15 seconds and for ten minutes.';

interface Local {
  readonly local: WorkSource;
  readonly busy: Set<Address>;
  readonly trouble: ReturnType<typeof createStorageTrouble>;
  readonly loss: ReturnType<typeof createLoss>;
}

/** What comes in from the queue, asked for less and less often while there is nothing. */
function createIntake(options: SharedWorkOptions, { local, busy, trouble, loss }: Local) {
  const { run, slots: wanted, clock, account, admission } = options;
  let slots = 0;
  let isOver = false;
  let pauseMs = FIRST_PAUSE_MS;
  let askAt = Number.NEGATIVE_INFINITY;

  async function take(claimed: readonly ClaimedNode[]): Promise<boolean> {
    const ready: PlannedNode[] = [];
    for (const each of claimed) {
      const found = await judgeClaim(options, each);
      if (found && 'end' in found) await endUnstarted(options, found);
      else if (found) ready.push(found.node);
    }
    for (const { address } of ready) busy.add(address);
    // The plan itself had blocked them.
    for (const ended of await local.wait('', 0, ready)) {
      busy.delete(ended.node.address);
      await endUnstarted(options, ended);
    }
    return ready.length > 0;
  }

  return {
    /** Claims more, if it is time to, and there is room; whether something has come. */
    async more(): Promise<boolean> {
      if (isOver || loss.error || busy.size >= wanted || clock.monotonic() < Math.max(askAt, trouble.opensAt))
        return false;
      const claims = await loss.unlessLost(run.claim({ wanted, busy: Math.min(busy.size, slots) }));
      if (!claims) return false;
      slots = claims.slots;
      account.pace(claims.isPaced);
      admission.heard(claims);
      isOver = claims.isOver || !claims.isLeft || claims.stop.length > 0;
      const isIdle = claims.claimed.length === 0;
      pauseMs = isIdle ? Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5) : FIRST_PAUSE_MS;
      askAt = clock.monotonic() + (isIdle ? pauseMs : 0);
      return (await loss.unlessLost(take(claims.claimed))) ?? false;
    },
    /** Something has ended here, and what waited for it may be claimed: it is not asked for later than after the first pause. */
    soon(): void {
      pauseMs = FIRST_PAUSE_MS;
      askAt = Math.min(askAt, clock.monotonic() + pauseMs);
    },
    get slots(): number {
      return slots;
    },
    get isOver(): boolean {
      return isOver || loss.error !== undefined;
    },
    get pauseMs(): number {
      return Math.max(1, Math.min(pauseMs, askAt - clock.monotonic()));
    },
  };
}

/** Undefined where nothing is given to this process any more, nor taken from it: it only awaits what it has sent. */
function createLoss() {
  let lost: StateWriteError | undefined;
  return {
    get error() {
      return lost;
    },
    async unlessLost<T>(this: void, work: Promise<T>): Promise<T | undefined> {
      try {
        return await work;
      } catch (error) {
        if (!(error instanceof StateWriteError)) throw error;
        lost ??= error;
        return undefined;
      }
    },
  };
}

async function endUnstarted({ run, emit }: SharedWorkOptions, { node, end, problem }: Ended): Promise<void> {
  if (await run.end(node.address, end)) emit(endedUnstarted({ node, end, problem }));
}

/** What is told of a node that ended without an attempt of this process. */
export function endedUnstarted({ node, end, problem }: Ended): RunEvent {
  const { address, kind, action } = node;
  return { type: 'node-finished', address, kind, action, end, ms: 0, ...(problem && { problem }) };
}
