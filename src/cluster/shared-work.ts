/**
 * The work of one process in a shared run. What it claims stays with it until it has ended, also while it waits for the next
 * poll: for the engine it is work in memory that keeps coming in.
 */
import type { Admission } from '../engine/admission.ts';
import { createMemoryWork } from '../engine/memory-work.ts';
import { withoutProduct } from '../engine/narrow-request.ts';
import { putOffEnd } from '../engine/outcome-table.ts';
import { passedOn } from '../engine/work-graph.ts';
import type { Claim, Ended, WorkSource } from '../engine/work-source.ts';
import type { Address } from '../model/address.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { RunState } from '../model/run-state.ts';
import { type ClaimedNode, type SharedRun, TakenOver } from '../store/shared-run.ts';
import { StateWriteError } from '../store/write-error.ts';
import type { Clock } from '../util/clock.ts';
import type { AccountShare } from './account-share.ts';
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

export function createSharedWork(options: SharedWorkOptions): WorkSource {
  const { run, isStopping, clock, account } = options;
  const local = createMemoryWork([], clock);
  /** What was claimed and does not wait: as many as its slots, and more where a poll became due before one could start. */
  const busy = new Set<Address>();
  /** What was given to the engine. */
  const running = new Set<Address>();
  const trouble = createStorageTrouble({
    clock,
    tell: ({ summary, detail = '' }) =>
      options.emit({ type: 'warning', summary, detail: `${detail} ${TRIED_AGAIN}`.trim() }),
  });
  const intake = createIntake(options, { local, busy, trouble });
  return {
    open: async () => ({ nodes: [], ended: [] }),
    async claim(admit): Promise<Claim> {
      // Whatever comes first starts: a slot that is kept for what comes later would be kept for good.
      const admitted = (node: PlannedNode) => (running.size < intake.slots ? admit(node) : FULL_MS);
      for (;;) {
        const found = await local.claim(admitted);
        if (found.type === 'node') {
          busy.add(found.node.address);
          running.add(found.node.address);
          return found;
        }
        if (!account.hasTime && (await intake.more())) continue;
        if (await account.more(Math.max(1, intake.slots - running.size))) continue;
        if (intake.isOver) return { type: 'none', left: 0, ms: Number.POSITIVE_INFINITY };
        return { type: 'none', left: 1, ms: Math.min(found.ms, intake.pauseMs) };
      }
    },
    async finish(ended, adds = []) {
      const { node, end } = ended;
      busy.delete(node.address);
      running.delete(node.address);
      await local.finish({ node, end: 'done' });
      const isForOthers = isStopping() && (end === 'put-off' || end === 'pending');
      if (isForOthers || (options.isStored && trouble.isPassing(ended))) {
        await run.handBack([node.address]);
        return [];
      }
      const isEnded = await unlessLost(run.end(node.address, end, adds));
      return isEnded ? [ended] : [];
    },
    async wait(address, ms, adds = []) {
      busy.delete(address);
      running.delete(address);
      await local.wait(address, ms);
      if (adds.length > 0) await run.add(adds);
      return [];
    },
    release: (address) => local.release(address),
    dependents: () => Promise.resolve([]),
    idle: () => local.idle(),
  };
}

/** After what the storage, or this machine, says. */
const TRIED_AGAIN = 'A process of this run tries it again, at most every 15 seconds and for ten minutes.';

interface Local {
  readonly local: WorkSource;
  readonly busy: Set<Address>;
  readonly trouble: ReturnType<typeof createStorageTrouble>;
}

/** What comes in from the queue, asked for less and less often while there is nothing. */
function createIntake(options: SharedWorkOptions, { local, busy, trouble }: Local) {
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
      if (isOver || busy.size >= wanted || clock.monotonic() < Math.max(askAt, trouble.opensAt)) return false;
      const claims = await unlessLost(run.claim({ wanted, busy: Math.min(busy.size, slots) }));
      if (!claims) {
        isOver = true;
        return false;
      }
      slots = claims.slots;
      account.pace(claims.isPaced);
      admission.heard(claims);
      isOver = claims.isOver || !claims.isLeft || claims.stop.length > 0;
      const isIdle = claims.claimed.length === 0;
      pauseMs = isIdle ? Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5) : FIRST_PAUSE_MS;
      askAt = clock.monotonic() + (isIdle ? pauseMs : 0);
      return take(claims.claimed);
    },
    get slots(): number {
      return slots;
    },
    get isOver(): boolean {
      return isOver;
    },
    get pauseMs(): number {
      return Math.max(1, Math.min(pauseMs, askAt - clock.monotonic()));
    },
  };
}

/** Undefined where nothing is taken from this process any more: it only awaits what it has sent. */
async function unlessLost<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StateWriteError) return undefined;
    throw error;
  }
}

/** A node that may start, as it is now; or how it ends without that. */
async function judgeClaim(
  { run, admission, now }: SharedWorkOptions,
  { node, ends, wasBegun }: ClaimedNode,
): Promise<{ readonly node: PlannedNode } | Ended | undefined> {
  const { recorder } = run;
  if (wasBegun) {
    const { address } = node;
    try {
      await recorder.append([{ type: 'unknown', at: now(), address, evidence: SILENT }]);
      return { node, end: 'unknown', problem: SILENT };
    } catch (error) {
      if (!(error instanceof TakenOver)) throw error;
      // Its answer has come after all.
      await run.handBack([address]);
      return undefined;
    }
  }
  let left = node;
  for (const [address, end] of Object.entries(ends)) {
    if (end === 'done') continue;
    const passed = passedOn(address, end);
    const narrowed = passed.end === 'blocked' ? withoutProduct(left, address) : undefined;
    if (!narrowed) return { node, ...passed };
    left = narrowed;
  }
  if (hasLeftItsRequest(left, recorder.state)) return { node, end: 'blocked', problem: BLOCKED };
  const quota = admission.quotaOf(node.kind);
  if (quota)
    return {
      node,
      end: putOffEnd(isCreate(node) ? 'create' : 'poll'),
      problem: quota.problem,
    };
  if (isCreate(node) && admission.createsEnded) return { node, end: 'put-off', problem: BLOCKED };
  return { node: left };
}

const SILENT: Problem = {
  summary: 'the process that sent it stopped before it recorded an answer',
};
const BLOCKED: Problem = { summary: 'blocked by what it depends on' };

/** Its request went without it, because something that the post shows had not succeeded. */
function hasLeftItsRequest(node: PlannedNode, { requests }: RunState): boolean {
  if (!kindHas(node, 'stored', 'take')) return false;
  const { request, requestedAs } = node.payload;
  const known = requests.get(request);
  if (!known) return false;
  const isMade = known.result !== undefined && 'items' in known.result && requestedAs in known.result.items;
  return !isMade && !known.payload.items.some(({ item }) => item === requestedAs);
}

async function endUnstarted({ run, emit }: SharedWorkOptions, { node, end, problem }: Ended): Promise<void> {
  if (!(await run.end(node.address, end))) return;
  const { address, kind, action } = node;
  emit({
    type: 'node-finished',
    address,
    kind,
    action,
    end,
    ms: 0,
    ...(problem && { problem }),
  });
}
