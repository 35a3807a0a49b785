import type { StateIdentity, Writing } from '../store.ts';
import type { Lock } from './lock.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { Witnesses } from './witnesses.ts';

export interface ReadOptions {
  /** Symbolic links are refused, also for its folder. */
  readonly stateFile: string;
  readonly identity: StateIdentity;
  /** Where else the state is known; nowhere by default. */
  readonly witnesses?: Witnesses;
}

export interface WriteOptions extends ReadOptions, Writing {
  /** Called for a log with new records, once it is closed and before its lock is free. */
  readonly beforeRelease?: ((closed: Closed) => Promise<void>) | undefined;
}

export interface Closed {
  readonly lineage: string;
  readonly end: RecordPlace;
  readonly lock: Lock;
}
