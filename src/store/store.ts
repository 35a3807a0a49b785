/**
 * The place where the state of one campaign is kept. Everything outside this folder reads and writes a state through this
 * interface alone; test/store/contract.ts says what each implementation has to hold.
 *
 * Opening gives the state as the log says it, and the events of a log are the only way to change it. `append` resolves
 * once its events are durable and folded. One process at a time may write.
 */
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';

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

export interface Store {
  /** What people and scripts call it: the path of a file, or a URL without its password. */
  readonly name: string;
  /** Reads without a lock. Where there is no state yet, it is an empty one. */
  read(): Promise<Result<OpenState, FatalProblem>>;
  /** Takes the lock and opens for the one writer. */
  write(run: Writing): Promise<Result<WritableState, FatalProblem>>;
  /** Who writes it right now, in words; undefined where nobody does. */
  holder(): Promise<string | undefined>;
  /** Whether a second writer would be kept out; tried beside the state, which stays as it is. */
  excludesOthers(): Promise<boolean>;
  /** What only a state in a file can do. */
  readonly inFile?: StateInFile;
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
  readonly tellSpilled?: ((lines: string) => void) | undefined;
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
  /**
   * Tells the events of each append, in the order of the log, once they are durable and folded; ends when the returned
   * function is called.
   */
  follow(told: (events: readonly StateEvent[]) => void): () => void;
  /** Makes sure that events can be recorded, before anything that depends on them is sent. */
  begin(): Promise<FatalProblem | undefined>;
  /** `compact`: where the log has grown far beyond what it says, a shorter one takes its place. */
  close(how?: 'compact' | 'as-it-is'): Promise<void>;
}

/** What can be done with a state only because it is a file: a database has no second name, and nobody edits it by hand. */
export interface StateInFile {
  /**
   * Opens another file, with the locks of both names, to make it the state of this store. Closing it renames it, but only
   * if something was recorded in it.
   */
  adopt(from: string, run: Writing): Promise<Result<Adoption, FatalProblem>>;
  /** Computes all checksums anew after an edit by hand. The log from before is kept beside it. */
  reseal(options: Resealing): Promise<Result<Resealed, FatalProblem>>;
  /** Gives the file another name, which ends so, and with it a folder of files that mean nothing without it. */
  setAside(
    ending: string,
    options: Locking & { readonly folder: string },
  ): Promise<Result<void, FatalProblem>>;
}

export interface Adoption extends WritableState {
  /** Absolute paths. */
  readonly from: string;
  readonly to: string;
  /** Whether another state had the name before. */
  readonly succeeds: boolean;
}

export interface Resealing extends Locking {
  readonly runId: string;
  /** Recorded as what the run did. */
  readonly events: readonly StateEvent[];
  /** Whether to go on, asked under the lock; without edits nobody is asked. */
  readonly agree: (preview: ResealPreview) => boolean;
}

/** What a resealed log comes to. */
export interface ResealPreview {
  readonly edits: readonly Edit[];
  readonly state: RunState;
  /** Changes with the content: whoever agreed to it agreed to exactly this. */
  readonly version: string;
}

export interface Resealed {
  readonly edits: readonly Edit[];
  /** Where the log from before is kept; undefined where there was nothing to do, or nobody agreed. */
  readonly kept: string | undefined;
}

/** What an edit by hand did, by line (counted from 1). `about` says what the record is. */
export type Edit =
  | { readonly type: 'changed'; readonly line: number; readonly about: string }
  /** Records are not there any more that stood before this line. */
  | { readonly type: 'missing'; readonly line: number; readonly from: number; readonly to: number }
  /** A record that stands a second time, or in another place. */
  | { readonly type: 'misplaced'; readonly line: number; readonly about: string }
  /** An empty or unfinished line. */
  | { readonly type: 'left-out'; readonly line: number }
  /** Records that this machine has seen are not there any more behind the last line. */
  | { readonly type: 'cut'; readonly line: number; readonly from: number; readonly to: number }
  /** It does not go on from the log that this machine knows. */
  | { readonly type: 'other-log'; readonly line: number };

/** What a store can do because its state is a file, for commands that mean nothing else. */
export function stateInFile({ name, inFile }: Store): Result<StateInFile, FatalProblem> {
  if (inFile) return ok(inFile);
  const detail = `${name} is no file, and this is about a state in a file only. Nothing was changed.`;
  return err({ code: 'no-state-file', exit: EXIT.usage, summary: 'No file for the state', detail });
}
