import type { LookAgain } from '../model/plan.ts';
import type { RunState, TakeState } from '../model/run-state.ts';

/** How long after its request a post that failed, or that the service no longer shows, is looked for by every run. */
const LOOKED_FOR_MS = 30 * 24 * 3_600_000;

/** Whether a take failed or was lost, and the service has its request and can be asked. */
export function canBeLookedFor(state: RunState, { status, request }: TakeState): boolean {
  return (status === 'failed' || status === 'lost') && state.requests.get(request)?.result !== undefined;
}

/** How a take is looked for once more in a run that begins `now` (epoch milliseconds), if it is. */
export function lookAgain(
  state: RunState,
  take: TakeState,
  { now, isPaidAgain }: { now: number; isPaidAgain: boolean },
): LookAgain | undefined {
  const { status, requestedAt } = take;
  if ((status !== 'failed' && status !== 'lost') || !canBeLookedFor(state, take)) return undefined;
  if (isPaidAgain) return { was: status, before: 'paying' };
  const isNew = now - Date.parse(requestedAt) < LOOKED_FOR_MS;
  return isNew ? { was: status, before: 'nothing' } : undefined;
}
