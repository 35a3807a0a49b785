/**
 * How a run is counted, by everything that tells about it: summary, events and the live block. Each upload, product, concept
 * and post counts once, by how it ended.
 */
import { type Address, downloadAddress, mediaOf, requestAddress } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import { NO_NODES } from '../model/node-counts.ts';
import { isDeletion, type Plan, type PlannedAs, type PlannedNode } from '../model/plan.ts';
import type { NodeCounts, NodeEnd } from '../model/run-event.ts';
import { countNoted, leftPosts } from './plan-summary.ts';

export type Ends = ReadonlyMap<string, NodeEnd>;

/** `added`: what came up during the run. */
interface Ran {
  readonly ends: Ends;
  readonly endOf: (node: PlannedNode) => NodeEnd | undefined;
  readonly added: readonly PlannedNode[];
}

/**
 * What a run leaves to another one. The first three divide what the counts of a run have as `pending`; a post of which
 * only the files are missing counts there by what became of the post.
 */
export interface LeftOver {
  /** Posts that are being generated. */
  readonly pending: number;
  /** Posts that nobody has requested yet. */
  readonly to_request: number;
  /** Uploads, products, concepts and deletions. */
  readonly put_off: number;
  /** Posts that are generated, and whose files are not here. */
  readonly to_download: number;
  /** Posts that are not requested, because they do not fit the budget. */
  readonly over_budget: number;
}

export const NOTHING_LEFT: LeftOver = {
  pending: 0,
  to_request: 0,
  put_off: 0,
  to_download: 0,
  over_budget: 0,
};

export function sumOfLeft(all: readonly LeftOver[]): LeftOver {
  const sum: { -readonly [Kind in keyof LeftOver]: number } = { ...NOTHING_LEFT };
  const kinds = Object.keys(NOTHING_LEFT) as (keyof LeftOver)[];
  for (const left of all) for (const kind of kinds) sum[kind] += left[kind];
  return sum;
}

export interface RunSums {
  readonly counts: NodeCounts;
  readonly left: LeftOver;
}

const NOTHING_RAN: Ran = { ends: new Map(), endOf: () => undefined, added: [] };

/** `files` were downloaded. */
export function countRun(plan: Plan, ran: Ran = NOTHING_RAN, files = 0): RunSums {
  const { ends, endOf, added } = ran;
  const counts: Record<keyof NodeCounts, number> = {
    ...NO_NODES,
    moved: plan.moves.length,
    unchanged: plan.unchanged + leftPosts(plan),
    failed: countNoted(plan.failed.filter(({ recheck }) => !isThereAfterAll(recheck, ends))),
    unknown: countNoted(plan.unknown),
    pending: plan.deletions?.pending ?? 0,
    downloaded: files,
  };
  /** A post stands before its files. */
  const unmade = new Set<Address>();
  const left = { ...NOTHING_LEFT, pending: counts.pending, over_budget: plan.beyondBudget.length };
  for (const nodes of [plan.nodes, added]) {
    for (const node of nodes) {
      const end = endOf(node);
      const counted = countedAs(node, end, ends);
      if (counted) counts[counted] += 1;
      if (counted === 'pending') left[leftAs(node, end, ends)] += 1;
      if (kindHas(node, 'stored', 'take') && end !== 'done') unmade.add(node.address);
      const isFetched = kindHas(node, 'stored', 'files') && !unmade.has(mediaOf(node.address));
      if (isFetched && end !== 'done' && countedEnd(end) === 'pending') left.to_download += 1;
    }
  }
  return { counts, left };
}

function leftAs(node: PlannedNode, end: End, ends: Ends): 'pending' | 'to_request' | 'put_off' {
  if (!kindHas(node, 'stored', 'take')) return 'put_off';
  const { post, take } = node.payload;
  const isRequested =
    node.action === 'resume' || end === 'pending' || ends.get(requestAddress(post, take)) === 'done';
  return isRequested ? 'pending' : 'to_request';
}

export function isThereAfterAll(recheck: Address | undefined, ends: Ends): boolean {
  return recheck !== undefined && isThere(ends.get(recheck));
}

function isThere(end: End): boolean {
  return end === 'done' || end === 'pending';
}

type End = NodeEnd | undefined;

/** A post whose request came to nothing is what became of its request. */
export function endOfPost(end: NodeEnd, request: End): NodeEnd {
  if (end !== 'blocked') return end;
  if (request === 'unknown') return 'unknown';
  return request === 'rejected' || request === 'failed' ? 'failed' : end;
}

function countedAs(node: PlannedNode, end: End, ends: Ends): keyof NodeCounts | undefined {
  // A post whose file could not be fetched is counted here as failed, and its medium as a success below.
  if (kindHas(node, 'counted', 'as its post')) return end === 'failed' ? 'failed' : undefined;
  if (kindHas(node, 'stored', 'take')) return countedMedia(node, end, ends);
  return isDeletion(node) || kindHas(node, 'counted', 'itself') ? countedNode(node, end) : undefined;
}

function countedMedia(node: PlannedAs<'take'>, end: End, ends: Ends): keyof NodeCounts | undefined {
  // A rechecked post that is unchanged is counted with those that the plan lists as failed, if it is still wanted.
  if (node.again && !isThere(end)) return undefined;
  const { post, take } = node.payload;
  if (ends.get(downloadAddress(node.address)) === 'failed') return undefined;
  return countedNode(node, end && endOfPost(end, ends.get(requestAddress(post, take))));
}

function countedNode(node: PlannedNode, end: End): keyof NodeCounts | undefined {
  if (node.action === 'blocked') return 'blocked';
  return end === 'done' ? DONE[node.action] : countedEnd(end);
}

/** Of what is not done; undefined: it is as it was. */
export function countedEnd(
  end: Exclude<End, 'done'>,
): 'failed' | 'blocked' | 'unknown' | 'pending' | undefined {
  switch (end) {
    case 'failed':
    case 'rejected':
    case 'lost':
      return 'failed';
    case 'blocked':
    case 'unknown':
      return end;
    case 'pending':
    case 'put-off':
    case undefined:
      return 'pending';
    case 'unchanged':
      return undefined;
  }
}

/** A post of an earlier request counts as created in the run that sees it finished. */
const DONE: Readonly<Record<PlannedNode['action'], keyof NodeCounts>> = {
  create: 'created',
  resume: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  move: 'moved',
  blocked: 'blocked',
};
