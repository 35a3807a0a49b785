import type { Clock } from '../util/clock.ts';
import type { Behaviour } from './behaviour.ts';
import type { Answers } from './media/answers.ts';
import type { PlannedFault } from './media/generation-fault.ts';
import type { Generation } from './media/generation.ts';
import type { Change } from './storage/change.ts';
import type { Records } from './storage/records.ts';

/** What the routes of every resource share. */
export interface EmulatorContext {
  readonly clock: Clock;
  readonly behaviour: Behaviour;
  /** Read only: every change goes through `commit`. */
  readonly records: Records;
  readonly generation: Generation;
  /** For media whose answers differ from one request to the next. */
  readonly answers: Answers;
  /** Holds uploads and generated files. */
  readonly filesDir: string;
  /** A UUID that this emulator has not given before. */
  newId(): string;
  /** The fault that the next post is to be generated with, if any. */
  nextGenerationFault(): PlannedFault | undefined;
  /** Writes the change to the ledger, then makes it visible. Call it before the answer is sent. */
  commit(change: Change): void;
}

export function timestamp(context: EmulatorContext): string {
  return new Date(context.clock.now()).toISOString();
}
