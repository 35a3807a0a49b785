import type { StatePaths } from '../file/work-folder.ts';
import type { Witnesses } from '../file/witnesses.ts';
import type { StateIdentity, Writing } from '../store.ts';

/** Whose state is looked for, and in which database. */
export interface Place {
  /** Of the database, for people. */
  readonly name: string;
  readonly url: string;
  /** Of the file beside the manifest, and what is beside that. */
  readonly paths: StatePaths;
  readonly identity: StateIdentity;
  /** Names the campaign on the command line, for advice. */
  readonly target: string;
}

export interface WriteOptions extends Writing {
  readonly witnesses: Witnesses;
  readonly leaseMs: number;
}
