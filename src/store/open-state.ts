/** How a state is opened, and what opening gives; the same for every store. */
import type { RunState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { FatalProblem } from '../model/problem.ts';

/** What a state belongs to; it is refused for anything else. `baseUrl` is `emulator` for the embedded service. */
export interface StateIdentity {
  readonly campaign: string;
  readonly environment: string;
  readonly baseUrl: string;
}

/** Which log it is, and what it belongs to by now. */
export interface StateHeader extends StateIdentity {
  /** Tells one log from every other one, for ever. */
  readonly lineage: string;
  /** Records that came before a compacted log; 0 for any other. */
  readonly seq: number;
}

/** Who wants to write, and how long to wait for it. */
export interface Locking {
  /** How long to wait for another run's lock, in milliseconds. */
  readonly lockTimeoutMs: number;
  readonly clock: Clock;
  /** Named to whoever finds the lock held, e.g. `campaign apply`. */
  readonly command: string;
}

export interface Writing extends Locking {
  readonly runId: string;
  readonly newLineage: () => string;
  /** Written before the first thing that is recorded. */
  readonly begin?: StateEvent | undefined;
  /** Gets the lines that the log does not take any more, as they would stand in it. */
  readonly tellErrored?: ((lines: string) => void) | undefined;
  /** What is a problem by itself, and is opened all the same because somebody has said so. */
  readonly allow?: readonly Allowed[] | undefined;
}

type Allowed = 'foreign' | 'vanished' | 'diverged';

/** An open state. */
export interface OpenState {
  readonly state: RunState;
  /** Absent where there is no state yet. */
  readonly header: StateHeader | undefined;
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
}

/** A state that this process alone may write; `state` follows what is recorded. */
export interface WritableState extends OpenState {
  readonly header: StateHeader;
  readonly recorder: Recorder;
  /** Makes sure that events can be recorded, before anything that depends on them is sent. */
  begin(): Promise<FatalProblem | undefined>;
  /** `compact`: where the log has grown far beyond what it says, a shorter one takes its place. */
  close(how?: 'compact' | 'as-it-is'): Promise<void>;
}
