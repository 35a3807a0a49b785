import { isCreate } from '../model/kinds.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import type { Attempt } from './attempt.ts';
import type { Stopping } from './stopping.ts';

/** Milliseconds from a signal to the message about what is awaited: what had not been sent has ended by then. */
const SETTLED_MS = 100;

/** Stops the attempts under way, and tells after a signal what is awaited. */
export function createHalt({
  stopping,
  clock,
  emit,
}: {
  stopping: Stopping;
  clock: Clock;
  emit: (event: RunEvent) => void;
}) {
  let tellAt: number | undefined;
  let told: Stopping['phase'] = 'run';

  function tell(running: readonly Attempt[]): void {
    const { phase } = stopping;
    if (!stopping.reasons.has('signal') || told === phase || told === 'now') return;
    const now = clock.monotonic();
    tellAt ??= now + SETTLED_MS;
    if (phase === 'drain' && running.length > 0 && now < tellAt) return;
    const creates = running.filter(({ job }) => isCreate(job.node)).length;
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
    check(running: readonly Attempt[]): void {
      if (stopping.phase === 'run' || stopping.phase === 'finish') return;
      tell(running);
      for (const attempt of running) {
        const { node } = attempt.job;
        if (stopping.phase === 'now') attempt.cut();
        // An update is awaited, and so is a create that was sent; a create that was not sent yet never will be.
        else if (node.action !== 'update') attempt.abort();
      }
    },
  };
}

export type Halt = ReturnType<typeof createHalt>;
