import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Load, RunEvent } from '../model/run-event.ts';
import type { Job } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import type { Verdict } from './judge.ts';
import type { Ended } from './work-source.ts';

type Wait = Extract<Verdict, { next: 'wait' }> & { readonly problem: Problem | undefined };

/** How far each started node is; emits the events of the run. */
export function createProgress({ clock, emit }: { clock: Clock; emit: (event: RunEvent) => void }) {
  /** `at`: the running time when it began. */
  const nodes = new Map<Address, { at: number; attempt: number; memo: Job['memo']; polled: boolean }>();
  /** The running time when a request was done: from then on its media are generated, whenever they are polled. */
  const requested = new Map<Address, number>();
  let suspendMs = 0;

  const runningTime = () => clock.monotonic() - suspendMs;

  const generatedSince = (node: PlannedNode) =>
    kindHas(node, 'stored', 'take') ? requested.get(node.payload.request) : undefined;

  function begun(node: PlannedNode) {
    const at = generatedSince(node) ?? runningTime();
    const known = nodes.get(node.address) ?? { at, attempt: 0, memo: undefined, polled: false };
    nodes.set(node.address, known);
    return known;
  }

  return {
    started(node: PlannedNode): Omit<Job, 'node' | 'results'> {
      const { address, kind } = node;
      const known = begun(node);
      known.attempt += 1;
      const { attempt, memo } = known;
      if (attempt === 1 || isCreate(node)) emit({ type: 'node-started', address, kind, attempt });
      return { attempt, runningMs: runningTime() - known.at, ...(memo === undefined ? {} : { memo }) };
    },
    /** It was not begun after all, so that was no attempt. */
    notBegun: (node: PlannedNode): void => void (begun(node).attempt -= 1),
    load: createLoadNews(emit),
    /** Its media are being generated from now on. */
    made: (request: Address): void => void requested.set(request, runningTime()),
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
    ended({ node, end, problem, files, unverified }: Ended): void {
      const { address, kind, action } = node;
      const since = nodes.get(address)?.at ?? generatedSince(node);
      nodes.delete(address);
      const ms = since === undefined ? 0 : Math.round(runningTime() - since);
      const rest = {
        ...(problem && { problem }),
        ...(files && { files }),
        ...(unverified && { unverified }),
      };
      emit({ type: 'node-finished', address, kind, action, end, ms, ...rest });
    },
  };
}

/** Tells the load where it has changed. */
function createLoadNews(emit: (event: RunEvent) => void): (load: Load) => void {
  let last: Load = { state: 'normal' };
  return (load) => {
    if (load.state === last.state && load.at_once === last.at_once) return;
    last = load;
    emit({ type: 'load-changed', ...load });
  };
}

export type Progress = ReturnType<typeof createProgress>;
