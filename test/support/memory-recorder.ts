import type { RunState } from '../../src/model/run-state.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { Recorder } from '../../src/model/step.ts';
import { emptyState, fold } from '../../src/log/fold.ts';

/** A log in memory that can be told to fail or to take its time. */
export interface MemoryRecorder extends Recorder {
  /** What is durable, in order. */
  readonly log: readonly StateEvent[];
  readonly noted: readonly StateEvent[];
  /** Every append from now on rejects. */
  fail(error: Error): void;
  /** Appends from now on wait for the returned function. */
  hold(): () => void;
}

export function createMemoryRecorder(before: readonly StateEvent[] = []): MemoryRecorder {
  const folded = emptyState();
  for (const event of before) fold(folded, event);
  const log: StateEvent[] = [];
  const noted: StateEvent[] = [];
  let failure: Error | undefined;
  let held: Promise<void> | undefined;
  const state: RunState = folded;
  return {
    state,
    log,
    noted,
    async append(events) {
      await held;
      if (failure) throw failure;
      log.push(...events);
      for (const event of events) fold(folded, event);
    },
    note(events) {
      noted.push(...events);
    },
    fail(error) {
      failure = error;
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}
