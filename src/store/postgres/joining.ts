/** What a process needs to take part in a shared run. */
import type { PgBoss } from 'pg-boss';
import type { FoldState } from '../../log/fold-state.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { RunSummaries } from '../../log/run-summaries.ts';
import type { NodeKind } from '../../model/kinds.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonObject } from '../../util/json.ts';
import type { LogHeader } from '../file/header.ts';
import type { KnownHead, SeenHeads } from '../known-head.ts';
import type { Connection } from './connection.ts';

export interface Joining {
  readonly campaign: number;
  readonly run: number;
  readonly runId: string;
  readonly spec: JsonObject;
  readonly chain: RecordPlace;
  /** When somebody has last decided about the log: nobody does so while the run goes on. */
  readonly boundAt: string;
  readonly seen: SeenHeads;
  readonly state: FoldState;
  readonly runs: RunSummaries;
  readonly clock: Clock;
  /** What this process takes; absent: all. */
  readonly kinds?: readonly NodeKind[] | undefined;
  /** Of the log. */
  readonly header: LogHeader;
  readonly keeping?: Keeping | undefined;
  /** Is told at the end of its part how far the log goes. */
  readonly leave?: ((head: KnownHead) => Promise<void>) | undefined;
  /** Gets why it takes longer than a moment until something is recorded. */
  readonly waits?: ((why: string) => void) | undefined;
}

/** Where it keeps what the database does not take any more. */
export interface Keeping {
  /** `.campaign/` of some folder of this machine. */
  readonly work: string;
  /** Gets the lines, as they would be in the log. */
  readonly tell?: ((lines: string) => void) | undefined;
}

/** Two connections: what is asked of the queue does not wait for a record. */
export interface Means {
  readonly writing: Connection;
  readonly asking: Connection;
  readonly boss: PgBoss;
}
