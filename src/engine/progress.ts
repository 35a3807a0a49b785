import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Job } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { Json } from '../util/json.ts';
import type { Ended } from './ended.ts';
import { isCreate } from '../model/kinds.ts';
import type { Facts } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { Verdict } from './judge.ts';

/** How far each started node is; emits the events of the run. */
export interface Progress {
  started(node: PlannedNode): Omit<Job, 'node' | 'results'>;
  /** The medium is being generated from now on, whenever it is polled. */
  made(media: Address): void;
  /** These milliseconds do not count as running time. */
  suspended(ms: number): void;
  waits(node: PlannedNode, facts: Facts, wait: Wait): void;
  ended(ended: Ended): void;
}

type Wait = Extract<Verdict, { next: 'wait' }> & { readonly problem?: Problem | undefined };

interface Started {
  /** Running time when it began. */
  readonly at: number;
  attempt: number;
  memo: Json | undefined;
  polled: boolean;
}

export function createProgress(options: { clock: Clock; emit: (event: RunEvent) => void }): Progress {
  const { clock, emit } = options;
  const nodes = new Map<Address, Started>();
  let suspendMs = 0;

  const runningTime = () => clock.monotonic() - suspendMs;

  function begun(address: Address): Started {
    const known = nodes.get(address) ?? { at: runningTime(), attempt: 0, memo: undefined, polled: false };
    nodes.set(address, known);
    return known;
  }

  return {
    started(node) {
      const { address, kind } = node;
      const known = begun(address);
      known.attempt += 1;
      const { attempt, memo } = known;
      if (attempt === 1 || isCreate(node)) emit({ type: 'node-started', address, kind, attempt });
      return { attempt, runningMs: runningTime() - known.at, ...(memo === undefined ? {} : { memo }) };
    },
    made(media) {
      begun(media);
    },
    suspended(ms) {
      suspendMs += ms;
    },
    waits({ address, kind }, { came, memo }, { why, ms: waitMs, problem }) {
      const known = nodes.get(address);
      if (!known) return;
      if (memo !== undefined) known.memo = memo;
      const repeated = why === 'poll' && known.polled;
      known.polled ||= why === 'poll';
      if (repeated && !(came === 'denied' && problem)) return;
      const ms = Math.max(0, Math.round(waitMs));
      emit({ type: 'node-waiting', address, kind, why, ms, ...(problem ? { problem } : {}) });
    },
    ended({ node: { address, kind, action }, end, problem, files, unverified }) {
      const known = nodes.get(address);
      nodes.delete(address);
      emit({
        type: 'node-finished',
        address,
        kind,
        action,
        end,
        ms: known ? Math.round(runningTime() - known.at) : 0,
        ...(problem ? { problem } : {}),
        ...(files ? { files } : {}),
        ...(unverified ? { unverified } : {}),
      });
    },
  };
}
