/**
 * The place where the state of one campaign is kept. Everything outside this folder reads and writes a state through this
 * interface alone; test/store/contract.ts says what each implementation has to hold.
 *
 * Opening gives the state as the log says it, and the events of a log are the only way to change it. `append` resolves
 * once its events are durable and folded. One process at a time may write.
 */
import type { FatalProblem } from '../model/problem.ts';
import type { Result } from '../util/result.ts';
import type { OpenState, WritableState, Writing } from './open-state.ts';
import type { StateInFile } from './state-in-file.ts';

export type {
  Locking,
  OpenState,
  StateHeader,
  StateIdentity,
  WritableState,
  Writing,
} from './open-state.ts';

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
