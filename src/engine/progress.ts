import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import { isCreate } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Job } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { Verdict } from './judge.ts';
import type { Ended } from './work-source.ts';

type Wait = Extract<Verdict, { next: 'wait' }> & { readonly problem: Problem | undefined };

/** How far each started node is; emits the events of the run. */
export function createProgress({ clock, emit }: { clock: Clock; emit: (event: RunEvent) => void }) {
  /** `at`: the running time when it began. */
  const nodes = new Map<Address, { at: number; attempt: number; memo: Job['memo']; polled: boolean }>();
  let suspendMs = 0;

  const runningTime = () => clock.monotonic() - suspendMs;

  function begun(address: Address) {
    const known = nodes.get(address) ?? { at: runningTime(), attempt: 0, memo: undefined, polled: false };
    nodes.set(address, known);
    return known;
  }

  return {
    started(node: PlannedNode): Omit<Job, 'node' | 'results'> {
      const { address, kind } = node;
      const known = begun(address);
      known.attempt += 1;
      const { attempt, memo } = known;
      if (attempt === 1 || isCreate(node)) emit({ type: 'node-started', address, kind, attempt });
      return { attempt, runningMs: runningTime() - known.at, ...(memo === undefined ? {} : { memo }) };
    },
    /** The medium is being generated from now on, whenever it is polled. */
    made: (media: Address): void => void begun(media),
    suspended(ms: number): void {
      suspendMs += ms;
    },
    waits({ address, kind }: PlannedNode, { came, memo }: Facts, { why, ms: waitMs, problem }: Wait): void {
      const known = nodes.get(address);
      if (!known) return;
      if (memo !== undefined) known.memo = memo;
      const repeated = why === 'poll' && known.polled;
      known.polled ||= why === 'poll';
      if (repeated && !(came === 'denied' && problem)) return;
      const ms = Math.max(0, Math.round(waitMs));
      emit({ type: 'node-waiting', address, kind, why, ms, ...(problem ? { problem } : {}) });
    },
    ended({ node: { address, kind, action }, end, problem, files, unverified }: Ended): void {
      const known = nodes.get(address);
      nodes.delete(address);
      const ms = known ? Math.round(runningTime() - known.at) : 0;
      const rest = {
        ...(problem && { problem }),
        ...(files && { files }),
        ...(unverified && { unverified }),
      };
      emit({ type: 'node-finished', address, kind, action, end, ms, ...rest });
    },
  };
}

export type Progress = ReturnType<typeof createProgress>;
