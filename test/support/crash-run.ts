/** What a run has done that matters after it is gone: which of its creates may have happened, as far as it could know. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { Recorder } from '../../src/model/step.ts';
import { StateWriteError } from '../../src/store/write-error.ts';
import type { DiskProcess } from './crash-disk.ts';
import { isCreateCall, type SimulatedCall } from './simulated-client.ts';

export interface CrashRun {
  readonly process: DiskProcess;
  /** Whether it was told to make again what had failed or is gone. */
  readonly retries: boolean;
  /** Creates that left, and no answer said for certain what became of them. */
  readonly doubtful: Set<string>;
  /** Creates whose intent it handed to the log, and whose end is not durable. */
  readonly open: Set<string>;
  /** Creates with an intent or an end that neither the log took nor a file beside it. */
  readonly unkept: Set<string>;
  /** Lines that the log did not take any more. */
  told: string;
  died: boolean;
}

interface Asking {
  readonly node: PlannedNode;
  readonly run: CrashRun;
}

/** Whose request is being sent. One for all worlds: each storage that there is costs every promise some time. */
export const asking = new AsyncLocalStorage<Asking>();

export function startRun(process: DiskProcess, retries: 'retries' | 'goes-on'): CrashRun {
  const sets = { doubtful: new Set<string>(), open: new Set<string>(), unkept: new Set<string>() };
  return { process, retries: retries === 'retries', ...sets, told: '', died: false };
}

/** Nodes that this run may have left unknown. */
export function excused({ doubtful, open, unkept, died }: CrashRun): string[] {
  return [...doubtful, ...unkept, ...(died ? open : [])];
}

/** Notes what becomes of a create. The client says so: it knows when bytes leave. */
export function noteCall(call: SimulatedCall, what: 'left' | 'answered'): void {
  const { node, run } = asking.getStore() ?? {};
  if (!node || !run || !isCreateCall(call)) return;
  if (what === 'left') run.doubtful.add(node.address);
  else run.doubtful.delete(node.address);
}

const OF_CREATES: ReadonlySet<StateEvent['type']> = new Set([
  'intent',
  'created',
  'rejected',
  'not-sent',
  'throttled',
  'unknown',
]);

/** A recorder that notes which creates of a run are open. */
export function noteEvents(recorder: Recorder, run: CrashRun): Recorder {
  return {
    state: recorder.state,
    note: (events) => recorder.note(events),
    async append(events) {
      const creates = events.flatMap((event) =>
        OF_CREATES.has(event.type) && 'address' in event ? [event] : [],
      );
      for (const { type, address } of creates) if (type === 'intent') run.open.add(address);
      try {
        await recorder.append(events);
      } catch (error) {
        const isKept = error instanceof StateWriteError && error.keptIn !== undefined;
        for (const { address } of creates) {
          // What is kept in a file has an end there, also where it was the intent that the log did not take.
          if (isKept) run.open.delete(address);
          else run.unkept.add(address);
        }
        throw error;
      }
      for (const { type, address } of creates) if (type !== 'intent') run.open.delete(address);
    },
  };
}
