import type { Recheck } from '../model/plan.ts';
import type { RunState, TakeState } from '../model/run-state.ts';

/** Until this long after its request, every run rechecks a post that failed or that the service no longer shows. */
const RECHECKED_MS = 30 * 24 * 3_600_000;

/** Whether a take failed or was lost, and the service can be asked because it has its request. */
export function canBeRechecked(state: RunState, { status, request }: TakeState): boolean {
  return (status === 'failed' || status === 'lost') && state.requests.get(request)?.result !== undefined;
}

/** How a take is rechecked in a run that begins `now` (epoch milliseconds), if it is. */
export function recheckOf(
  state: RunState,
  take: TakeState,
  { now, isPaidAgain }: { now: number; isPaidAgain: boolean },
): Recheck | undefined {
  const { status, requestedAt } = take;
  if ((status !== 'failed' && status !== 'lost') || !canBeRechecked(state, take)) return undefined;
  if (isPaidAgain) return { was: status, before: 'paying' };
  const isNew = now - Date.parse(requestedAt) < RECHECKED_MS;
  return isNew ? { was: status, before: 'nothing' } : undefined;
}
