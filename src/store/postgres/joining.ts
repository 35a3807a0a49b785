/** What a process needs to take part in a shared run. */
import type { PgBoss } from 'pg-boss';
import type { FoldState } from '../../log/fold-state.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { RunSummaries } from '../../log/run-summaries.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonObject } from '../../util/json.ts';
import type { Connection } from './connection.ts';

export interface Joining {
  readonly campaign: number;
  readonly run: number;
  readonly runId: string;
  readonly spec: JsonObject;
  readonly mediaInFlight: number;
  readonly chain: RecordPlace;
  readonly state: FoldState;
  readonly runs: RunSummaries;
  readonly clock: Clock;
}

/** Two connections: what is asked of the queue does not wait for a record. */
export interface Means {
  readonly writing: Connection;
  readonly asking: Connection;
  readonly boss: PgBoss;
}
