import type { Address } from '../model/address.ts';
import { isCreate } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import type { Stopping } from './stopping.ts';

export interface Attempt {
  readonly node: PlannedNode;
  /** Asks the step to stop; its facts are still awaited. */
  abort(): void;
  /** Stops waiting for the step. What is being written to the log is still awaited. */
  cut(): void;
}

/** Milliseconds from a signal to the message about what is awaited: what had not been sent has ended by then. */
const SETTLED_MS = 100;

interface HaltOptions {
  readonly stopping: Stopping;
  readonly clock: Clock;
  readonly emit: (event: RunEvent) => void;
}

export function createHalt({ stopping, clock, emit }: HaltOptions) {
  let tellAt: number | undefined;
  let told: Stopping['phase'] = 'run';

  function tell(running: readonly Attempt[]): void {
    const { phase } = stopping;
    if (!stopping.reasons.has('signal') || told === phase || told === 'now') return;
    const now = clock.monotonic();
    tellAt ??= now + SETTLED_MS;
    if (phase === 'drain' && running.length > 0 && now < tellAt) return;
    const creates = running.filter(({ node }) => isCreate(node)).length;
    if (phase === 'drain') {
      const ms = Math.max(0, Math.round(stopping.nextInMs));
      emit({ type: 'run-stopping', awaited: running.length, creates, ms });
    } else if (creates > 0) emit({ type: 'run-stopping', awaited: 0, creates, ms: 0 });
    told = phase;
  }

  return {
    /** Milliseconds until there is something to tell, if nothing wakes the loop before; Infinity when there is not. */
    get nextInMs(): number {
      return told === 'run' && tellAt !== undefined ? tellAt - clock.monotonic() : Number.POSITIVE_INFINITY;
    },
    check(attempts: ReadonlyMap<Address, Attempt>): void {
      if (stopping.phase === 'run' || stopping.phase === 'finish') return;
      const running = [...attempts.values()];
      tell(running);
      for (const attempt of running) {
        if (stopping.phase === 'now') attempt.cut();
        // An update is awaited, and so is a create that was sent; a create that was not sent yet never will be.
        else if (attempt.node.action !== 'update') attempt.abort();
      }
    },
  };
}
