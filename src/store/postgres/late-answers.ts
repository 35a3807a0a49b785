/**
 * A process that was frozen, or cut off, until its shared run had ended without it has the answers of creates that are
 * unknown because of that. It records them all the same, as long as nobody else writes the log.
 */
import type { StateEvent } from '../../model/state-event.ts';
import type { RunState } from '../../model/run-state.ts';
import type { Clock } from '../../util/clock.ts';
import { answersTo, isOpen } from '../open-creates.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { LEASE_MS } from './place.ts';
import { beginRun } from './run-lock.ts';
import type { SharedLog } from './shared-log.ts';

interface Late {
  readonly connection: Connection;
  readonly campaign: number;
  readonly runId: string;
  readonly clock: Clock;
  readonly state: RunState;
  readonly log: Pick<SharedLog, 'recordIn'>;
  /** So long it is waited until nobody else writes the log. */
  readonly lockTimeoutMs: number;
}

/**
 * `open`: the intents that these events may be the ends of. `nothing`: there is no answer among them that is missing.
 */
export async function recordLate(
  { connection, campaign, runId, clock, state, log, lockTimeoutMs }: Late,
  events: readonly StateEvent[],
  open: readonly StateEvent[],
): Promise<'recorded' | 'refused' | 'nothing'> {
  const answers = answersTo(open, events);
  if (answers.length === 0) return 'nothing';
  const missing = () => answers.flatMap(({ event, begun }) => (isOpen(state, event, begun) ? event : []));
  try {
    const locking = { lockTimeoutMs, clock, command: 'campaign worker' };
    const run = await beginRun(connection, { ...locking, name: '', campaign, runId, leaseMs: LEASE_MS });
    if (!run.ok) return 'refused';
    try {
      const isRecorded = await log.recordIn(run.value.id, missing);
      return isRecorded ? 'recorded' : 'nothing';
    } finally {
      await run.value.release();
    }
  } catch (error) {
    if (error instanceof DatabaseError) return 'refused';
    throw error;
  }
}
