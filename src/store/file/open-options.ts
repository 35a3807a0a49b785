/** How a state is opened, and what opening it gives. */
import type { RunState } from '../../model/run-state.ts';
import type { RunSummary } from '../../model/run-summary.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Clock } from '../../util/clock.ts';
import type { LogHeader, LogIdentity } from './header.ts';
import type { Lock } from './lock.ts';
import type { ChainEnd } from './record.ts';
import type { StateRecorder } from './recorder.ts';
import type { FatalProblem } from '../../model/problem.ts';
import type { Witnesses } from './witnesses.ts';

/** What is a problem by itself, and is opened all the same where somebody has said so. */
type Allowed = 'foreign' | 'vanished' | 'diverged';

export interface ReadOptions {
  /** The state's path; symbolic links are refused, also as its folder. */
  readonly stateFile: string;
  readonly identity: LogIdentity;
  /** Who else knows about it; nobody where it is left out. */
  readonly witnesses?: Witnesses;
}

export interface WriteOptions extends ReadOptions {
  /** How long to wait for another run's lock, in milliseconds. */
  readonly lockTimeoutMs: number;
  readonly clock: Clock;
  readonly runId: string;
  /** Named to whoever finds the lock held, e.g. `campaign apply`. */
  readonly command: string;
  readonly newLineage: () => string;
  /** Written before the first thing that is recorded. */
  readonly begin?: StateEvent;
  /** Gets the lines that the log does not take any more, as they would stand in it. */
  readonly tellErrored?: (lines: string) => void;
  readonly allow?: readonly Allowed[];
  /** Done with a log that was added to, once it is closed and before its lock is free. */
  readonly beforeRelease?: ((closed: Closed) => Promise<void>) | undefined;
}

/** A log that is written and closed. */
export interface Closed {
  readonly lineage: string;
  readonly end: ChainEnd;
  readonly lock: Lock;
}

/** An open state. */
export interface OpenState {
  readonly state: RunState;
  /** Absent where there is no state yet. */
  readonly header: LogHeader | undefined;
  /** Names exactly this content of the log: lineage, number and checksum of its last record; empty without a state. */
  readonly version: string;
  /** Number of its last record. */
  readonly seq: number;
  /** Why nobody may write this state yet: it is not settled which copy counts, or what an earlier run kept is damaged. */
  readonly diverged: FatalProblem | undefined;
  /** Runs before this one, oldest first. */
  readonly runs: readonly RunSummary[];
  /** The last run, where nobody knows its end: neither the log nor what waits to be taken into it. */
  readonly unended: RunSummary | undefined;
  /** Nodes that the state knew when it was opened. */
  readonly known: number;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** A state that this process alone may write; `state` follows what is recorded. */
export interface WritableState extends OpenState {
  readonly header: LogHeader;
  readonly recorder: StateRecorder;
  /** Makes the file of a new log durable before its first record, which does it else. */
  begin(): Promise<FatalProblem | undefined>;
  /** `compact`: where the log has grown far beyond what it says, a shorter one takes its place. */
  close(how?: 'compact' | 'as-it-is'): Promise<void>;
}
