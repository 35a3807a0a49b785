import type { Refusal } from '../model/problem.ts';
import type { SharedRun } from '../store/shared-run.ts';
import type { WritableState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { tellStart } from './apply-no-changes.ts';
import { followShared } from './apply-shared.ts';
import type { Campaign } from './campaign.ts';
import type { Deciding } from './decide-plan.ts';
import { NO_NODES } from '../model/node-counts.ts';
import { shareRunOutputs } from './hold-outputs.ts';
import { leaveOutResults, stateRefusal } from './read-state.ts';
import type { RunEnd } from './run-end.ts';
import type { CarryOutOptions, PlannedRun } from './run-nodes.ts';
import { planOf, specFrom, whyNotRead } from './run-spec.ts';
import { subjectOf } from './run-subject.ts';
import { taking } from './open-for-run.ts';
import type { Runtime } from './runtime.ts';
import type { StoredHeads } from './stored-heads.ts';

/** How the run ended, and what came of it. */
export interface Followed {
  readonly end: RunEnd;
  readonly campaign: Campaign;
  readonly plan: ReturnType<typeof planOf>;
  readonly state: WritableState['state'];
}

interface Own extends Pick<PlannedRun, 'apiKey' | 'storage'>, Pick<StoredHeads, 'heads'> {
  readonly campaign: Campaign;
}

/**
 * Takes part in the run that keeps this apply out, if that is what this one would do, too; undefined where it is another
 * one; 'over' where there is none that several processes carry out, or not any more.
 */
export async function followEqualRun(
  runtime: Runtime,
  own: Own,
  options: Deciding & CarryOutOptions,
): Promise<Result<Followed | 'over' | undefined, Refusal>> {
  const { heads } = own;
  const joined = (await own.campaign.store.openRun?.({ ...taking(runtime), heads })) ?? ok(undefined);
  if (!joined.ok) return err(stateRefusal(joined.error, own.campaign));
  return ok(joined.value ? await followJoined(runtime, { ...own, run: joined.value }, options) : 'over');
}

async function followJoined(
  runtime: Runtime,
  { campaign: loaded, apiKey, storage, run }: Own & { readonly run: SharedRun },
  options: Deciding & CarryOutOptions,
): Promise<Followed | undefined> {
  if (whyNotRead(run)) {
    await run.close();
    return undefined;
  }
  try {
    const { state } = run.recorder;
    const photos = await leaveOutResults(runtime, loaded, state);
    const spec = specFrom(run.spec);
    const subject = photos.ok ? subjectOf(photos.value, apiKey, options) : undefined;
    if (!photos.ok || subject === undefined || subject !== spec.subject) return undefined;
    const campaign = photos.value;
    const plan = planOf(spec, await run.nodes());
    tellStart(runtime, campaign, { known: plan.unchanged });
    runtime.emit({ type: 'warning', summary: FOLLOWS });
    runtime.emit({ type: 'plan-decided', campaign, plan, known: plan.unchanged });
    const held = await shareRunOutputs(runtime, spec, { storage, command: 'campaign apply' });
    if (!held.ok) {
      for (const problem of held.error.problems) runtime.emit({ type: 'diagnostic', ...problem });
      return { end: { exit: held.error.exit, counts: NO_NODES }, campaign, plan, state };
    }
    const stop = options.listen();
    try {
      const { lineage } = spec;
      const planned = { campaign, plan, recorder: run.recorder, apiKey, storage, lineage };
      const end = await followShared(runtime, { run, spec, planned }, { ...options, stop });
      return { end, campaign, plan, state };
    } finally {
      stop.release();
      await held.value?.release();
    }
  } finally {
    await run.close();
  }
}

const FOLLOWS = 'Another apply has begun the same run; this one takes part in it';
