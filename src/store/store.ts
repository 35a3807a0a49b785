/**
 * The place where the state of one campaign is kept: code outside this folder reads and writes a state only through
 * this interface. test/store/contract.ts says what each implementation has to guarantee.
 */
import { countNodes, type FoldState, orderState } from '../log/fold-state.ts';
import type { LogRecord, RecordPlace } from '../log/log-record.ts';
import type { RunSummaries } from '../log/run-summaries.ts';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { DatabaseFacts } from './database-facts.ts';
import type { KnownHead } from './known-head.ts';
import type { OpenRun, SharedBudget, SharedRun, Sharing } from './shared-run.ts';
import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';

/** What a state belongs to; for anything else it is refused. `baseUrl` is `emulator` for the embedded service. */
export interface StateIdentity {
  readonly campaign: string;
  readonly environment: string;
  readonly baseUrl: string;
}

export interface StateHeader extends StateIdentity {
  /** Identifies the log for its whole life. */
  readonly lineage: string;
  /** Records before a compacted log; 0 for any other log. */
  readonly seq: number;
}

export interface Store {
  /** For people and scripts: the path of a file, or a URL without its password. */
  readonly name: string;
  /** Reads without a lock. A state that does not exist yet is empty. `visit` is shown each record, oldest first. */
  read(visit?: Visit): Promise<Result<OpenState, FatalProblem>>;
  /**
   * Reads again and again, each time what `read` would: from the second time on it reads only what was added since, where the
   * log has only grown. `begin` is called each time that the log is read from its beginning, for what is shown its records.
   */
  reader(begin?: () => Visit | undefined): StateReader;
  write(run: Writing): Promise<Result<WritableState, FatalProblem>>;
  /**
   * Whether opening it would find what it found when it had this mark; a store without this is always opened. With
   * `locking` under the lock, which leaves what a run leaves that records nothing.
   */
  hasMark?(mark: string, locking?: Locking): Promise<boolean>;
  /**
   * Opens one that another file has, or names, with the locks of both. Closing it gives it the place of this one, if
   * something was recorded in it.
   */
  adopt(from: string, run: Writing): Promise<Result<Adoption, FatalProblem>>;
  /** Keeps every writer out until it is released, without a look at the state: nothing of it is written. */
  hold(locking: Locking): Promise<Result<Hold, FatalProblem>>;
  /** Who is writing it now, in words. */
  holder(): Promise<string | undefined>;
  /** Whether a second writer would be kept out; tried beside the state, which is not changed. */
  excludesOthers(): Promise<boolean>;
  /** What the database of the state says of itself; absent for a file. */
  readonly examine?: (clock: Clock) => Promise<Result<DatabaseFacts, FatalProblem>>;
  /** Differs when something was recorded since; for a place where no change of a file shows it. */
  version?(): Promise<string | undefined>;
  /** How many processes are there that take part in runs, or in this one, or work with this account already. */
  readonly workers?: (of: Pick<Partial<OpenRun>, 'id' | 'account'>) => Promise<number>;
  /** Takes part in the run of this campaign that several processes carry out; undefined where there is none. */
  readonly openRun?: (taking: Joining) => Promise<Result<SharedRun | undefined, FatalProblem>>;
  /**
   * For whoever looks again and again: what reads shares one connection from now on, until the returned function is called.
   * Absent where reading needs none.
   */
  readonly stayConnected?: () => () => Promise<void>;
  /** So long a process that has written it may be silent and be there all the same; absent where that cannot be. */
  readonly silenceMs?: number;
  readonly inFile?: StateInFile;
}

/** Is shown each record, the oldest first. */
export type Visit = (record: LogRecord) => void;

/** The state that it gave before changes with the next call. */
export type StateReader = () => Promise<Result<OpenState, FatalProblem>>;

export interface Hold {
  release(): Promise<void>;
}

export interface Locking {
  /** How long to wait for another run's lock. */
  readonly lockTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  /** Shown to others who want the lock, e.g. `campaign apply`. */
  readonly command: string;
}

export interface Writing extends Locking {
  readonly runId: string;
  readonly newLineage: () => string;
  /** Recorded before the first other event. */
  readonly begin?: StateEvent | undefined;
  /** Gets the lines that the log does not take any more, as they would be in it. */
  readonly tellSpilled?: ((lines: string) => void) | undefined;
  /** Gets why it takes longer than a moment until something is recorded. */
  readonly tellWaiting?: ((why: string) => void) | undefined;
  /** Problems with which it is opened all the same, because somebody has said so. */
  readonly allow?: readonly Allowed[] | undefined;
  /** Records that somebody has seen durable: a database whose log lacks one has come back older than it was. */
  readonly heads?: readonly KnownHead[] | undefined;
}

/** `diverged`: also in a run of a log that lacks something, to end it. */
export interface Joining extends Pick<Writing, 'clock' | 'tellSpilled' | 'tellWaiting' | 'heads'> {
  readonly allow?: 'diverged' | undefined;
}

/** `elsewhere`: in a database, a log of this campaign that another clone has begun. */
type Allowed = 'foreign' | 'vanished' | 'diverged' | 'elsewhere';

export interface OpenState {
  readonly state: RunState;
  /** Absent where there is no state yet. */
  readonly header: StateHeader | undefined;
  /** Identifies this content of the log: lineage, number and checksum of its last record; empty without a state. */
  readonly version: string;
  readonly seq: number;
  /** Why nobody may write this state yet: it is not decided which copy counts, or a spill file is damaged. */
  readonly diverged: FatalProblem | undefined;
  readonly runs: readonly RunSummary[];
  /** The last run, if its end is in neither the log nor a spill file. */
  readonly unended: RunSummary | undefined;
  /** Nodes that the state had when it was opened. */
  readonly known: number;
  readonly warnings: readonly string[];
  /** Stands for everything that opening depended on; absent where something has to be told, or nobody can say it. */
  readonly mark?: string | undefined;
}

/** A state that only this process may write; `state` contains everything recorded. */
export interface WritableState extends OpenState {
  readonly header: StateHeader;
  readonly recorder: Recorder;
  /** Calls `told` with the events of each append, once they are folded, until the returned function is called. */
  follow(told: (events: readonly StateEvent[]) => void): () => void;
  /**
   * Lets other processes carry out the run, too: from then on only the shared run records. Absent where there is no place
   * that several processes write.
   */
  readonly share?: (sharing: Sharing) => Promise<SharedRun>;
  /**
   * Counts what is spent of an account from now on with what others spend of it. Absent where a place has nothing in common
   * for several states.
   */
  readonly count?: (account: string, budget: SharedBudget) => Promise<Ledger>;
  /** The newest record; absent where the log cannot come back older without that being noticed. */
  readonly head?: () => KnownHead;
  /** Makes sure that events can be recorded, before anything that depends on them is sent. */
  begin(): Promise<FatalProblem | undefined>;
  /** `compact`: a log that has grown far beyond its content is replaced by a shorter one. */
  close(how?: 'compact' | 'as-it-is'): Promise<void>;
}

/** Is shown the events of each append. */
export interface Ledger {
  /** Rejects with NotBegun where they would spend more than may be spent. */
  before(events: readonly StateEvent[]): Promise<void>;
  /** Once they are recorded. */
  after(events: readonly StateEvent[]): Promise<void>;
}

/** What is possible only with a file. */
export interface StateInFile {
  /** What the file says, without asking whether it is the one that counts; undefined where it cannot be read. */
  peek(): Promise<RunState | undefined>;
  /** What the committed one of this campaign at this service says, for a path without one. */
  committed(): Promise<RunState | undefined>;
  /** Renames the file, with this ending, and a folder of files that mean nothing without it. */
  setAside(
    ending: string,
    options: Locking & { readonly folder: string },
  ): Promise<Result<void, FatalProblem>>;
}

export interface Adoption extends WritableState {
  readonly from: string;
  readonly to: string;
  /** Whether another state had the name before. */
  readonly succeeds: boolean;
}

export function stateInFile({ name, inFile }: Store): Result<StateInFile, FatalProblem> {
  if (inFile) return ok(inFile);
  const detail = `${name} is no file, and this is about a state in a file only. Nothing was changed.`;
  return err({ code: 'no-state-file', exit: EXIT.usage, summary: 'No file for the state', detail });
}

interface Log extends Pick<OpenState, 'header'> {
  readonly state: FoldState;
  readonly runs: RunSummaries;
}

/** The members that every opened state has. */
export function openedState({ state, runs, header }: Log, { seq, crc }: RecordPlace) {
  orderState(state);
  const list = runs.list();
  const last = list.at(-1);
  return {
    state,
    header,
    version: header ? `${header.lineage}:${seq}:${crc}` : '',
    seq,
    runs: list,
    unended: last?.end ? undefined : last,
    known: countNodes(state),
  };
}
