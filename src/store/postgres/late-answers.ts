/**
 * A process that was frozen, or cut off, until its shared run had ended without it has the answers of creates that are
 * unknown because of that. It records them all the same, once nobody else writes the log.
 */
import type { StateEvent } from '../../model/state-event.ts';
import type { RunState } from '../../model/run-state.ts';
import type { Clock } from '../../util/clock.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { PATIENCE_MS } from './job-claims.ts';
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
}

/** `open`: the intents that these events may be the ends of. Gives where it is recorded; undefined where it is not. */
export async function recordLate(
  { connection, campaign, runId, clock, state, log }: Late,
  events: readonly StateEvent[],
  open: readonly StateEvent[],
): Promise<string | undefined> {
  const begun = new Map(
    open.flatMap((event) => (event.type === 'intent' ? [[event.address, event.at]] : [])),
  );
  const answers = events.filter(
    (event) => ANSWERS.has(event.type) && 'address' in event && begun.has(event.address),
  );
  if (answers.length === 0) return undefined;
  /** What somebody has decided meanwhile stays, and so does a later attempt. */
  const missing = () =>
    answers.filter(
      (event) => 'address' in event && begunAt(state, event.address) === begun.get(event.address),
    );
  try {
    const locking = { lockTimeoutMs: PATIENCE_MS, clock, command: 'campaign worker' };
    const run = await beginRun(connection, { ...locking, name: '', campaign, runId, leaseMs: LEASE_MS });
    if (!run.ok) return undefined;
    try {
      const isRecorded = await log.recordIn(run.value.id, missing);
      return isRecorded ? WHERE : undefined;
    } finally {
      await run.value.release();
    }
  } catch (error) {
    if (error instanceof DatabaseError) return undefined;
    throw error;
  }
}

const ANSWERS: ReadonlySet<StateEvent['type']> = new Set(['created', 'rejected', 'not-sent', 'throttled']);
const WHERE = 'the state, after the end of the run';

/** When the create of this address was begun, if nobody knows how it ended. */
function begunAt({ objects, requests }: RunState, address: string): string | undefined {
  const object = objects.get(address);
  if (object) return object.status === 'unknown' ? object.at : undefined;
  const request = requests.get(address);
  return request?.status === 'unknown' ? request.requestedAt : undefined;
}
