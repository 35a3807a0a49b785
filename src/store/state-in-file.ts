/** What can be done with a state only because it is a file: a database has no second name, and nobody edits it by hand. */
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Locking, WritableState, Writing } from './open-state.ts';

export interface StateInFile {
  /**
   * Opens another file, with the locks of both names, to make it the state of this store. Closing it renames it, but only
   * if something was recorded in it.
   */
  adopt(from: string, run: Writing): Promise<Result<Adoption, FatalProblem>>;
  /** Computes all checksums anew after an edit by hand. The log from before is kept beside it. */
  reseal(options: Resealing): Promise<Result<Resealed, FatalProblem>>;
  /** Gives the file another name, which ends so: its work is done, and nothing of it may be lost. */
  setAside(ending: string, locking: Locking): Promise<Result<void, FatalProblem>>;
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
export function stateInFile({ name, inFile }: MaybeInFile): Result<StateInFile, FatalProblem> {
  if (inFile) return ok(inFile);
  const detail = `${name} is no file, and this is about a state in a file only. Nothing was changed.`;
  return err({ code: 'no-state-file', exit: EXIT.usage, summary: 'No file for the state', detail });
}

/** A store, whichever it is. */
interface MaybeInFile {
  readonly name: string;
  readonly inFile?: StateInFile;
}
