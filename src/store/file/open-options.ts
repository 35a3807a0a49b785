/** How a state in a file is opened. */
import type { StateIdentity, Writing } from '../store.ts';
import type { Lock } from './lock.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { Witnesses } from './witnesses.ts';

export interface ReadOptions {
  /** The state's path; symbolic links are refused, also as its folder. */
  readonly stateFile: string;
  readonly identity: StateIdentity;
  /** Who else knows about it; nobody where it is left out. */
  readonly witnesses?: Witnesses;
}

export interface WriteOptions extends ReadOptions, Writing {
  /** Done with a log that was added to, once it is closed and before its lock is free. */
  readonly beforeRelease?: ((closed: Closed) => Promise<void>) | undefined;
}

/** A log that is written and closed. */
export interface Closed {
  readonly lineage: string;
  readonly end: RecordPlace;
  readonly lock: Lock;
}
