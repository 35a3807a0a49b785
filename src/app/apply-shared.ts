/**
 * An apply whose run is carried out by several processes: it hands the plan over in one transaction, works its own share, and
 * follows what all of them tell until the run has ended. Whatever happens to it, the run is there as a whole or not at all.
 */
import { endedUnstarted } from '../cluster/shared-work.ts';
import type { Address } from '../model/address.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { NodeEnd, RunEvent } from '../model/run-event.ts';
import type { SharedRun } from '../store/shared-run.ts';
import { isRequested } from '../views/generating-posts.ts';
import { withLookFor } from '../views/look-for.ts';
import { withPhotos } from '../views/name-photos.ts';
import { summarise } from '../views/plan-summary.ts';
import { countRun } from '../views/run-counts.ts';
import { countParts } from '../views/run-parts.ts';
import { diskExit, diskProblem } from './disk-problem.ts';
import { awaitEnd, STOPPED_BY_COMMAND, eachTold, pause, sharedEnd } from './end-shared-run.ts';
import { originsIn } from './request-origin.ts';
import type { RunEnd } from './run-end.ts';
import type { CarryOutOptions, Parallel, ParallelWish, PlannedRun, Stop } from './run-nodes.ts';
import { accountIdOf, type RunSpec, specJson, specOf, storedNodes } from './run-spec.ts';
import type { Runtime } from './runtime.ts';
import { createUntakenLook } from './untaken-kinds.ts';
import { watchRun } from './watch-run.ts';
import { workShare } from './work-share.ts';

interface Options extends Omit<CarryOutOptions, 'listen'> {
  readonly stop: Stop;
}

export async function applyShared(
  runtime: Runtime,
  planned: PlannedRun & { readonly parallel: Parallel },
  options: Options,
): Promise<RunEnd> {
  const { campaign, plan, apiKey, parallel } = planned;
  const spec = specOf({ campaign, plan, ...parallel }, options);
  const nodes = storedNodes(
    plan.nodes,
    originsIn(plan, campaign.manifest, await runtime.manifestVersion(campaign.manifest)),
  );
  const run = await parallel.share({
    nodes,
    spec: specJson(spec),
    account: accountIdOf(spec.environment, apiKey),
    mediaInFlight: spec.limits.mediaInFlight,
    polls: spec.waiting === 'all',
    atOnce: spec.limits.total,
    perSecond: spec.limits.requestsPerSecond,
    budget: parallel.budget(),
    generating: nodes.filter(isRequested).length,
  });
  try {
    return await followShared(runtime, { run, spec, planned }, options);
  } finally {
    await run.close();
  }
}

interface Shared {
  readonly run: SharedRun;
  readonly spec: RunSpec;
  readonly planned: PlannedRun;
}

/** Shows a shared run until it has ended, and works a share of it. */
export async function followShared(
  runtime: Runtime,
  { run, spec, planned }: Shared,
  { stop, deadlineMs, shared, parallel: wish = ALONE }: Options,
): Promise<RunEnd> {
  const { plan, apiKey, storage } = planned;
  const untaken = wish.work ? undefined : createUntakenLook(runtime, run);
  const follower = followRun(runtime, { run, untaken }, planned);
  runtime.emit({
    type: 'planned',
    ...summarise(plan),
    new_posts: plan.newPosts,
    work: countParts(plan).work,
  });
  for (const { from, to } of plan.moves) runtime.emit({ type: 'node-moved', from, to });
  if (wish.detach) {
    const leftTo = (await isThere(run, planned, {})) ? 'workers' : 'nobody';
    return { ...(await follower.end(plan)), exit: EXIT.ok, leftTo };
  }
  const slots = spec.limits.total;
  const share = { run, spec, apiKey, storage, slots, stop, deadlineMs, shared, stopping: runtime.emit };
  try {
    await follower.until(carriedOut(runtime, share, wish));
    if (stop.level !== 'run') {
      if (await isThere(run, planned, { id: run.id })) return leftBehind(await follower.end(plan), stop);
      await run.stop(['signal']);
      await follower.until(awaitEnd(runtime, { run, spec, storage }));
    }
    const end = await follower.end(plan);
    if ((await run.look()).stop.includes(STOPPED_BY_COMMAND))
      runtime.emit({ type: 'warning', summary: STOPPED });
    return end;
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    runtime.emit({ type: 'diagnostic', ...problem });
    return { ...follower.soFar(plan), exit: diskExit(error), leftTo: 'others, if any' };
  }
}

const ALONE: ParallelWish = { detach: false, work: true };

/** Whether another process works at it, or would. */
async function isThere(
  run: SharedRun,
  { parallel }: PlannedRun,
  of: Parameters<Parallel['workers']>[0],
): Promise<boolean> {
  return (await run.others()) > 0 || ((await parallel?.workers(of)) ?? 0) > 0;
}

/** Its own share, as long as there is work, and the end of the run: it has the key and the files, also where others work. */
async function carriedOut(
  runtime: Runtime,
  share: Parameters<typeof workShare>[1],
  { work }: Pick<ParallelWish, 'work'>,
): Promise<void> {
  const { run, deadlineMs } = share;
  const stop = () => void run.stop(['deadline']).catch(() => undefined);
  // Who works stops the run by its own share.
  const cancel = work || deadlineMs === undefined ? undefined : runtime.clock.after(deadlineMs, stop);
  try {
    do {
      if (work) await workShare(runtime, share);
    } while (!(await awaitEnd(runtime, { ...share, work })));
  } finally {
    cancel?.();
  }
}

const STOPPED = 'The run was ended by `campaign stop`; `campaign apply` goes on with what is left';

/** The run goes on without this process. */
function leftBehind(end: RunEnd, { exit }: Stop): RunEnd {
  return { ...end, leftTo: 'workers', ...(exit !== undefined && { exit }) };
}

/** Shows what every process of the run tells. */
function followRun(
  runtime: Runtime,
  { run, untaken }: { readonly run: SharedRun; readonly untaken: (() => Promise<void>) | undefined },
  { campaign, plan, guard }: PlannedRun,
) {
  const watch = watchRun(plan, {
    locate: campaign.manifest.locate,
    naming: (problem, { address, end }) => {
      const known = { graph: campaign.graph, state: run.recorder.state };
      return end === 'unknown' ? withLookFor(problem, address, known) : withPhotos(problem, address, known);
    },
  });
  const seen = new Map<Address, NodeEnd>();
  let after = 0;

  function show(event: RunEvent): void {
    if (event.type === 'node-finished') {
      const { address, end } = event;
      const before = seen.get(address);
      // What had no answer, and what it had blocked, may go on after all.
      if (before && (before === end || !COMES_BACK.has(before))) return;
      seen.set(address, end);
      if (before !== 'unknown') spend(event);
    }
    runtime.emit(watch.take(event));
  }

  /** What others have requested counts like what this process has. */
  function spend({ address, end }: Extract<RunEvent, { type: 'node-finished' }>): void {
    if (end !== 'done' && end !== 'unknown') return;
    const node = plan.nodes.placed(address)?.node;
    if (node && kindHas(node, 'stored', 'request')) guard?.whyNot(node);
  }

  async function look(): Promise<void> {
    after = await eachTold(run, show, after);
  }

  return {
    until: (work: Promise<unknown>) => lookUntil(runtime, work, { look, untaken }),
    /** What was seen of it, where nothing more can be. */
    soFar(all: Plan): Omit<RunEnd, 'exit'> {
      const ends = { ends: seen, endOf: ({ address }: { address: Address }) => seen.get(address), added: [] };
      return { ...watch.told(), counts: countRun(all, ends, watch.seen.files).counts };
    },
    async end(all: Plan): Promise<RunEnd> {
      await look();
      for (const [address, end] of await run.ends()) {
        const node = seen.get(address) === end ? undefined : plan.nodes.placed(address)?.node;
        if (node) show(endedUnstarted({ node, end }));
      }
      const end = await sharedEnd(run, { plan: all, watch });
      const recorded = await run.endInLog();
      if (!recorded) return end;
      runtime.emit({ type: 'warning', summary: FORGOTTEN });
      return { ...watch.told(), exit: recorded.exitCode as ExitCode, counts: recorded.nodes };
    },
  };
}

const FORGOTTEN =
  'The next run of this campaign has begun before this process could show how each node ended; what is said here is what the run recorded';

interface Looking {
  readonly look: () => Promise<void>;
  readonly untaken: (() => Promise<void>) | undefined;
}

async function lookUntil(
  runtime: Runtime,
  work: Promise<unknown>,
  { look, untaken }: Looking,
): Promise<void> {
  const over = work.then(() => true);
  for (;;) {
    const isOver = await Promise.race([over, pause(runtime).then(() => false)]);
    try {
      await look();
      if (!isOver) await untaken?.();
    } catch (error) {
      // What was sent is awaited, also where nothing can be looked at any more.
      await work;
      throw error;
    }
    if (isOver) return;
  }
}

const COMES_BACK: ReadonlySet<NodeEnd> = new Set(['unknown', 'blocked']);
