/**
 * A request that pays again for posts waits until each of them was rechecked. Posts that are there after all, and posts
 * about which the service gave no answer, leave the request; the others are requested.
 */
import { mediaAddress, splitTake, type Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd } from '../model/run-event.ts';
import type { Ended } from './ended.ts';

/** The result of a recheck. */
export type Rechecked =
  /** It is finished, or being generated. */
  | { readonly type: 'there' }
  /** It is still failed or lost. */
  | { readonly type: 'as-it-was' }
  | { readonly type: 'unanswered'; readonly problem?: Problem | undefined };

/** An item that is not requested in this run, and how its new take ends. */
interface Left {
  readonly item: string;
  readonly end: NodeEnd;
  readonly problem?: Problem;
}

export interface AfterRechecks {
  /** With the items that are still wanted; undefined where none is left. */
  readonly request: PlannedNode | undefined;
  readonly left: readonly Left[];
}

/** What the end of a recheck says about its post. */
export function recheckedBy({ end, problem }: Ended): Rechecked {
  switch (end) {
    case 'done':
      return { type: 'there' };
    case 'unchanged':
    case 'failed':
    case 'lost':
      return { type: 'as-it-was' };
    case 'rejected':
    case 'unknown':
    case 'put-off':
    case 'pending':
    case 'blocked':
      return { type: 'unanswered', problem };
  }
}

/** What remains of a request; undefined while one of its rechecks is under way. */
export function afterRechecks(
  request: PlannedNode,
  rechecks: ReadonlyMap<Address, Rechecked>,
): AfterRechecks | undefined {
  const { after = [] } = request;
  if (!kindHas(request, 'stored', 'request') || !after.every((address) => rechecks.has(address)))
    return undefined;
  const left = leftOf(request, rechecks);
  if (left.length === 0) return { request, left };
  const gone = new Set(left.map(({ item }) => item));
  const items = request.payload.items.filter(({ item }) => !gone.has(item));
  if (items.length === 0) return { request: undefined, left };
  const payload = { ...request.payload, items, numberOfPosts: items.length };
  return { request: { ...request, payload }, left };
}

function leftOf(request: PlannedAs<'request'>, rechecks: ReadonlyMap<Address, Rechecked>): Left[] {
  const { post, items } = request.payload;
  const recheckNodes = new Map((request.after ?? []).map((address) => [splitTake(address).address, address]));
  const left = items.flatMap(({ item }): Left[] => {
    const address = recheckNodes.get(mediaAddress(post, item));
    const rechecked = address === undefined ? undefined : rechecks.get(address);
    if (address === undefined || !rechecked || rechecked.type === 'as-it-was') return [];
    return [
      rechecked.type === 'there'
        ? { item, end: 'unchanged' }
        : { item, end: 'put-off', problem: notAsked(rechecked) },
    ];
  });
  if (!request.whole || left.length === 0) return left;
  const known = new Map(left.map((one) => [one.item, one]));
  return items.map(({ item }) => known.get(item) ?? { item, end: 'put-off', problem: AS_A_WHOLE });
}

function notAsked({ problem }: Rechecked & { type: 'unanswered' }): Problem {
  const cause = problem ? ` ${problem.summary}${problem.detail ? `: ${problem.detail}` : ''}.` : '';
  return {
    summary: 'Not paid for again',
    detail: `Nobody could find out whether the post that was paid for is there after all.${cause} Run the same command again.`,
  };
}

const AS_A_WHOLE: Problem = {
  summary: 'Not paid for again',
  detail:
    'The post is requested as a whole (number_of_posts), and another part of it is there after all, or could not be looked for: plan again.',
};
