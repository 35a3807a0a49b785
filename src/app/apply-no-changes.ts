/** An apply of a remembered plan without work: the same checks and events as of one that plans, and the same lock. */
import { outcomeOf } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import { usableApiKey } from './api-key.ts';
import type { ShownCampaign } from './campaign.ts';
import { hostOf } from './host-of.ts';
import type { NoChanges } from './no-changes.ts';
import type { RunEnd } from './run-end.ts';
import type { Runtime } from './runtime.ts';
import { periodNames } from '../views/settled.ts';

/** Whether it may end like this; if not, for whatever reason, the campaign is planned, and that tells the reason. */
export async function isStillDone(
  runtime: Pick<Runtime, 'clock' | 'env'>,
  { campaign: { manifest, store }, mark }: NoChanges,
): Promise<boolean> {
  if (!(await usableApiKey(runtime, manifest.environment)).ok) return false;
  const locking = { lockTimeoutMs: 0, clock: runtime.clock, command: 'campaign apply' };
  return (await store.hasMark?.(mark, locking)) ?? false;
}

export function endWithoutWork(runtime: Runtime, { campaign, plan, known }: NoChanges): RunEnd {
  const { emit } = runtime;
  const end: RunEnd = { exit: 0, counts: { ...NO_NODES, unchanged: plan.unchanged } };
  tellStart(runtime, campaign, { known });
  emit({ type: 'plan-decided', campaign, plan, known });
  emit({ type: 'work-ended', end, plan });
  tellFinish(runtime, end);
  return end;
}

export function tellStart(
  { emit }: Runtime,
  { manifest, store }: ShownCampaign,
  { known, command = 'apply' }: { readonly known: number; readonly command?: string },
): void {
  const { name, environment } = manifest;
  const periods = periodNames(manifest.periods);
  const where = { environment: environment.name, host: hostOf(environment), state: store.name };
  emit({
    type: 'run-started',
    command,
    campaign: name,
    ...where,
    known,
    ...(periods && { periods }),
  });
}

export function tellFinish({ emit }: Runtime, { exit, counts, left, next }: RunEnd): void {
  emit({
    type: 'run-finished',
    outcome: outcomeOf(exit),
    exit_code: exit,
    nodes: counts,
    ...(left && Object.values(left).some(Boolean) && { left }),
    ...(next?.length && { next }),
  });
}
