import type { Clock } from '../util/clock.ts';
import type { Behaviour } from './behaviour.ts';
import type { Answers } from './media/answers.ts';
import type { OrderedFault } from './media/generation-fault.ts';
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
  /** Of media that look different from answer to answer. */
  readonly answers: Answers;
  /** Holds uploads and generated files. */
  readonly filesDir: string;
  /** A UUID that was not given before. */
  newId(): string;
  /** What was ordered to go wrong with the making of the next post. */
  nextGenerationFault(): OrderedFault | undefined;
  /** Writes the change to the ledger, then makes it visible; to be called before the answer is sent. */
  commit(change: Change): void;
}

/** The present time as the service writes it. */
export function timestamp(context: EmulatorContext): string {
  return new Date(context.clock.now()).toISOString();
}
