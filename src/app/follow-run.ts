import type { WritableState } from '../store/store.ts';
import { tellStart } from './apply-no-changes.ts';
import { followShared } from './apply-shared.ts';
import type { Campaign } from './campaign.ts';
import type { Deciding } from './decide-plan.ts';
import { leaveOutResults } from './read-state.ts';
import type { RunEnd } from './run-end.ts';
import type { CarryOutOptions, PlannedRun } from './run-nodes.ts';
import { planOf, specFrom, whyNotRead } from './run-spec.ts';
import { subjectOf } from './run-subject.ts';
import { taking } from './open-for-run.ts';
import type { Runtime } from './runtime.ts';

/** How the run ended, and what came of it. */
export interface Followed {
  readonly end: RunEnd;
  readonly campaign: Campaign;
  readonly plan: ReturnType<typeof planOf>;
  readonly state: WritableState['state'];
}

interface Own extends Pick<PlannedRun, 'apiKey' | 'storage'> {
  readonly campaign: Campaign;
}

/**
 * Takes part in the run that keeps this apply out, if that is what this one would do, too; undefined where it is another
 * one, or none that several processes carry out.
 */
export async function followEqualRun(
  runtime: Runtime,
  { campaign: loaded, apiKey, storage }: Own,
  options: Deciding & CarryOutOptions,
): Promise<Followed | undefined> {
  const { store } = loaded;
  const joined = await store.openRun?.(taking(runtime));
  if (!joined?.ok || !joined.value) return undefined;
  const run = joined.value;
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
    const stop = options.listen();
    try {
      const planned = { campaign, plan, recorder: run.recorder, apiKey, storage };
      const end = await followShared(runtime, { run, spec, planned }, { ...options, stop });
      return { end, campaign, plan, state };
    } finally {
      stop.release();
    }
  } finally {
    await run.close();
  }
}

const FOLLOWS = 'Another apply has begun the same run; this one takes part in it';
