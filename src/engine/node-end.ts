import { isCreate } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd } from '../model/run-event.ts';
import type { Outcome } from '../model/step.ts';
import type { Ended } from './ended.ts';
import { isPoll } from './looks.ts';

/** The end of a node that another run has to take up: a medium that is being generated was paid, so it is pending. */
export function putOffEnd(node: PlannedNode): NodeEnd {
  return isPoll(node) ? 'pending' : 'put-off';
}

/** A node that ends in this run with its last outcome. */
export function endedWith(node: PlannedNode, outcome: Outcome): Ended {
  return { node, end: endOf(node, outcome), problem: problemOf(outcome), ...filesOf(outcome) };
}

/** A wait that is not waited for is put off. */
function endOf(node: PlannedNode, outcome: Outcome): NodeEnd {
  switch (outcome.type) {
    case 'done':
    case 'failed':
    case 'rejected':
    case 'lost':
    case 'unchanged':
      return outcome.type;
    case 'unknown':
      return isCreate(node) ? 'unknown' : 'failed';
    case 'wait':
    case 'put-off':
    case 'unauthorized':
      return putOffEnd(node);
  }
}

/** Why a node did not succeed. */
export function problemOf(outcome: Outcome): Problem | undefined {
  switch (outcome.type) {
    case 'done':
    case 'unchanged':
      return undefined;
    case 'unknown': {
      const { summary, detail, status } = outcome.evidence;
      return {
        summary,
        ...(detail === undefined ? {} : { detail }),
        ...(status === undefined ? {} : { status }),
      };
    }
    case 'wait':
    case 'failed':
    case 'rejected':
    case 'lost':
    case 'put-off':
    case 'unauthorized':
      return outcome.problem;
  }
}

/** Whether `--fail-fast` stops for it. */
export function isFailure(end: NodeEnd): boolean {
  return end === 'failed' || end === 'rejected' || end === 'lost' || end === 'unknown';
}

function filesOf(outcome: Outcome): Pick<Ended, 'files' | 'unverified'> {
  if (outcome.type !== 'done' || !('files' in outcome.result)) return {};
  const { files } = outcome.result;
  const unverified = files.flatMap(({ path, unverified: why }) => (why === undefined ? [] : [{ path, why }]));
  return { files: files.map(({ path }) => path), ...(unverified.length ? { unverified } : {}) };
}
