import { EXIT } from '../model/exit.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { type Refusal, refusal } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { diskProblem } from './disk-problem.ts';
import { awaitEnd, outlineOf, STOPPED_BY_COMMAND } from './end-shared-run.ts';
import { openStorage } from './open-storage.ts';
import { stateRefusal } from './read-state.ts';
import { specFrom, whyNotRead } from './run-spec.ts';
import { taking } from './open-for-run.ts';
import type { Runtime } from './runtime.ts';

/** Nodes of the run: those that ended as they should, those that nobody knows the end of, and those left to another run. */
export interface StoppedRun {
  readonly run: number;
  readonly done: number;
  readonly unknown: number;
  readonly left: number;
}

/**
 * Ends a run that several processes carry out: none of them begins anything more, what was sent is awaited, and then the
 * run is over. Where none of them lives any more, this process ends it. Undefined where nothing is to be stopped.
 */
export async function stopRun(
  runtime: Runtime,
  campaign: Campaign,
): Promise<Result<StoppedRun | undefined, Refusal>> {
  const { store } = campaign;
  const joined = (await store.openRun?.({ ...taking(runtime), allow: 'diverged' })) ?? ok(undefined);
  if (!joined.ok) return err(stateRefusal(joined.error, campaign));
  const run = joined.value;
  if (!run) {
    const holder = await store.holder();
    return holder === undefined ? ok(undefined) : err(ofOneProcess(store.name, holder));
  }
  const other = whyNotRead(run);
  if (other) {
    await run.close();
    return err(refusal(other.exit, other));
  }
  const storage = await openStorage(runtime, campaign);
  try {
    if (!storage.ok) return storage;
    await run.stop([STOPPED_BY_COMMAND]);
    await awaitEnd(runtime, { run, spec: specFrom(run.spec), storage: storage.value });
    return ok({ run: run.id, ...countEnds(await run.ends(), (await run.nodes(outlineOf)).length) });
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    const { detail = '' } = problem;
    return err(refusal(EXIT.cannotWrite, { code: 'cannot-write', summary: UNSEEN, detail }));
  } finally {
    if (storage.ok) storage.value?.objects.close();
    await run.close();
  }
}

const UNSEEN = 'Nobody begins anything more in this run, but its end cannot be seen';

const DONE: ReadonlySet<NodeEnd> = new Set(['done', 'unchanged']);
const LEFT: ReadonlySet<NodeEnd> = new Set(['put-off', 'pending', 'blocked']);

function countEnds(ends: ReadonlyMap<string, NodeEnd>, all: number) {
  const counted = { done: 0, unknown: 0, left: all - ends.size };
  for (const end of ends.values()) {
    if (DONE.has(end)) counted.done += 1;
    else if (end === 'unknown') counted.unknown += 1;
    else if (LEFT.has(end)) counted.left += 1;
  }
  return counted;
}

function ofOneProcess(name: string, holder: string): Refusal {
  return refusal(EXIT.locked, {
    code: 'state-locked',
    summary: 'This run is that of one process',
    detail: `${name} is in use by ${holder}. End it there with Ctrl-C or SIGTERM: it awaits what it has sent, and ends.`,
  });
}
