/** What becomes of a node that was claimed, before anything is sent for it. */
import type { Admission } from '../engine/admission.ts';
import { MEDIA_IN_FLIGHT } from '../engine/finish.ts';
import { withoutProduct } from '../engine/narrow-request.ts';
import { putOffEnd } from '../engine/outcome-table.ts';
import { CREATES_ENDED } from '../engine/settle.ts';
import { passedOn } from '../engine/work-graph.ts';
import type { Ended } from '../engine/work-source.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { type ClaimedNode, type SharedRun, TakenOver } from '../store/shared-run.ts';

interface Judging {
  readonly run: SharedRun;
  readonly admission: Pick<Admission, 'quotaOf' | 'createsEnded'>;
  readonly now: () => string;
}

/** A node that may start, as it is now; or how it ends without that. */
export async function judgeClaim(
  { run, admission, now }: Judging,
  { node, ends, wasBegun, hasNoRoom }: ClaimedNode,
): Promise<{ readonly node: PlannedNode } | Ended | undefined> {
  const { recorder } = run;
  if (wasBegun) {
    const { address } = node;
    try {
      await recorder.append([{ type: 'unknown', at: now(), address, evidence: SILENT }]);
      return { node, end: 'unknown', problem: SILENT };
    } catch (error) {
      if (!(error instanceof TakenOver)) throw error;
      // Its answer has come after all.
      await run.handBack([address]);
      return undefined;
    }
  }
  let left = node;
  for (const [address, end] of Object.entries(ends)) {
    if (end === 'done') continue;
    const passed = passedOn(address, end);
    const narrowed = passed.end === 'blocked' ? withoutProduct(left, address) : undefined;
    if (!narrowed) return { node, ...passed };
    left = narrowed;
  }
  if (hasLeftItsRequest(left, recorder.state)) return { node, end: 'blocked', problem: BLOCKED };
  // What became smaller may have room.
  if (hasNoRoom && left === node) return { node, end: 'put-off', problem: MEDIA_IN_FLIGHT };
  const quota = admission.quotaOf(node.kind);
  const column = kindHas(node, 'stored', 'take') ? 'poll' : 'repeatable';
  if (quota) return { node, end: putOffEnd(column), problem: quota.problem };
  if (isCreate(node) && admission.createsEnded) return { node, end: 'put-off', problem: CREATES_ENDED };
  return { node: left };
}

export const SILENT: Problem = {
  summary: 'the process that sent it stopped before it recorded an answer',
};
const BLOCKED: Problem = { summary: 'blocked by what it depends on' };

/** Its request went without it, because something that the post shows had not succeeded. */
function hasLeftItsRequest(node: PlannedNode, { requests }: RunState): boolean {
  if (!kindHas(node, 'stored', 'take')) return false;
  const { request, requestedAs } = node.payload;
  const known = requests.get(request);
  if (!known) return false;
  const isMade = known.result !== undefined && 'items' in known.result && requestedAs in known.result.items;
  return !isMade && !known.payload.items.some(({ item }) => item === requestedAs);
}
