import type { StatePaths } from '../file/work-folder.ts';
import type { Database } from './database-url.ts';
import type { Witnesses } from '../file/witnesses.ts';
import type { SeenHeads } from '../known-head.ts';
import type { StateIdentity, Writing } from '../store.ts';

/** Whose state is looked for, and in which database. */
export interface Place {
  /** Of the database, for people. */
  readonly name: string;
  readonly url: string;
  /** Of the file beside the manifest, and what is beside that. */
  readonly paths: StatePaths;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
  /** What this process has seen of logs. */
  readonly seen: SeenHeads;
}

/** So long a run may be silent before another one takes over. */
export const LEASE_MS = 30_000;

/** A state that is moved between a database and a file. */
export interface Moving {
  /** Its paths are those of the pointer. */
  readonly place: Place;
  /** The other side. */
  readonly file: string;
  readonly witnesses: Witnesses;
}

/** `wasThere`: an earlier command had done it all. */
export interface MovedLog {
  readonly records: number;
  readonly wasThere: boolean;
}

export interface WriteOptions extends Writing {
  readonly database: Database;
  readonly witnesses: Witnesses;
  readonly leaseMs: number;
}
