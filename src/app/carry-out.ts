import { outputFolderOf } from '../files/own-place.ts';
import { EXIT, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { lettingGoEvents, namedAgainEvents } from '../plan/left-alone.ts';
import { moveEvents } from '../match/moves.ts';
import { hasMoves, hasWork, isRecorded } from '../views/plan-summary.ts';
import { countRun } from '../views/run-counts.ts';
import { StateWriteError } from '../store/write-error.ts';
import { countedAlone } from './count-alone.ts';
import { diskExit, diskProblem } from './disk-problem.ts';
import { moveOutputs } from './move-outputs.ts';
import { earlierFailures, exitOfRun, type RunEnd, runFinished } from './run-end.ts';
import { type CarryOutOptions, type Parallel, type PlannedRun, runNodes, type Stop } from './run-nodes.ts';
import { type Runtime, timestamp } from './runtime.ts';
import { refreshIndex } from './hold-outputs.ts';
import { ownerFor, writeIndex } from './output-index.ts';

/** Carries out a plan: moves, then the engine, then the index. A run without work leaves no trace in the state. */
export async function carryOut(runtime: Runtime, run: PlannedRun, options: CarryOutOptions): Promise<RunEnd> {
  const { plan, recorder, campaign } = run;
  const { manifest } = campaign;
  const now = () => timestamp(runtime);
  const recorded = () => ({ state: recorder.state, lineage: run.lineage });
  const indexAlone = () => refreshIndex(runtime, manifest, { recorded: recorded(), command: 'campaign' });
  const ending = () => [...lettingGoEvents(plan, end.exit, now()), runFinished(end, now())];
  const stop = options.listen();
  // How the run ends if the disk refuses the next step.
  let end = withoutRequests(plan);
  try {
    if (!hasWork(plan)) {
      await indexAlone();
      await storeIndexOf(runtime, run, { as: 'warning', stop });
      if (plan.letGo) await recorder.append([...namedAgainEvents(plan, now()), ...ending()]);
      return end;
    }
    end = withoutRequests({ ...plan, moves: [] });
    await recorder.append([...moveEvents(plan.moves, now()), ...namedAgainEvents(plan, now())]);
    end = withoutRequests(plan);
    const place = outputFolderOf(manifest, ownerFor(manifest, run));
    if (manifest.outputs) await moveOutputs(plan.fileMoves, { place, recorder, now });
    const { parallel } = run;
    if (parallel && !plan.nodes.isEmpty && (await isShared(run, parallel, options))) {
      const { applyShared } = await import('./apply-shared.ts');
      end = await applyShared(runtime, { ...run, parallel }, { ...options, stop });
      return end;
    }
    if (!plan.nodes.isEmpty) {
      const counting = { ...run, recorder: await countedAlone(run) };
      const ran = await runNodes(runtime, counting, { ...options, stop });
      end = ran.end;
      if (ran.report.writeError) throw ran.report.writeError;
      if (ran.isAsBefore && !hasMoves(plan) && !plan.letGo) return end;
    } else for (const { from, to } of plan.moves) runtime.emit({ type: 'node-moved', from, to });
    if (run.hold) await writeIndex(runtime.disk, manifest, recorded());
    else await indexAlone();
    const unstored = await storeIndexOf(runtime, run, { as: 'error', stop });
    if (unstored) end = { ...end, exit: strongestExit([end.exit, EXIT.cannotWrite]) };
    await recorder.append(ending());
    return end;
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    runtime.emit({ type: 'diagnostic', ...problem });
    end = { ...end, exit: diskExit(error) };
    // If the state cannot be written, this event is in the spill file with the others, and the error was told already.
    if (isRecorded(plan)) await recorder.append([runFinished(end, now())]).catch(unlessWriteError);
    return end;
  } finally {
    stop.release();
  }
}

/** Results are where they are without it, so it is no reason to end as failed where there was nothing else to do. */
async function storeIndexOf(
  { emit }: Runtime,
  { campaign: { manifest }, recorder, storage, head }: PlannedRun,
  { as, stop }: { readonly as: 'error' | 'warning'; readonly stop: Stop },
): Promise<boolean> {
  if (!storage) return false;
  const { storeIndex } = await import('./stored-index.ts');
  const problem = await storeIndex({ ...storage, manifest, head: head?.() }, recorder.state, stop);
  if (problem && as === 'error') emit({ type: 'diagnostic', ...problem });
  else if (problem) emit({ type: 'warning', summary: problem.summary, detail: problem.detail });
  return problem !== undefined;
}

/** Without other processes, also for other runs of the account, it stays a run of this one, which ends with it. */
async function isShared(
  { plan, campaign, apiKey }: PlannedRun,
  { workers }: Parallel,
  { parallel: wish }: CarryOutOptions,
): Promise<boolean> {
  const { accountIdOf, canBeShared } = await import('./run-spec.ts');
  const { environment } = campaign.manifest;
  if (!canBeShared(plan, environment)) return false;
  if (wish?.detach === true || wish?.work === false) return true;
  return (await workers({ account: accountIdOf(environment, apiKey) })) > 0;
}

function withoutRequests(plan: Plan): RunEnd {
  const { counts, left } = countRun(plan);
  return { exit: exitOfRun(plan, counts, new Map()), counts, left, earlier: earlierFailures(plan) };
}

function unlessWriteError(error: unknown): void {
  if (!(error instanceof StateWriteError)) throw error;
}
