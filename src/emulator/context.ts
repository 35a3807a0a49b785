import type { Clock } from '../util/clock.ts';
import type { Behaviour } from './behaviour.ts';
import type { Generation } from './media/generation.ts';
import type { Change } from './storage/change.ts';
import type { Records } from './storage/records.ts';

/** What the routes of every resource share. */
export interface EmulatorContext {
  readonly clock: Clock;
  readonly behaviour: Behaviour;
  /** To be read only: every change goes through `commit`. */
  readonly records: Records;
  readonly generation: Generation;
  /** Holds uploads and generated files. */
  readonly filesDir: string;
  /** A UUID that was not given before. */
  newId(): string;
  /** Writes the change to the ledger, then makes it visible; to be called before the answer is sent. */
  commit(change: Change): void;
}

/** The present time as the service writes it. */
export function timestamp(context: EmulatorContext): string {
  return new Date(context.clock.now()).toISOString();
}
