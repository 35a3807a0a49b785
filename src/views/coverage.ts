import { type Address, mediaAddress, postPlanOf } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas, storedAs } from '../model/kinds.ts';
import type { Noted, Plan, PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import type { Evidence } from '../model/state-event.ts';
import { groupBy } from '../util/group-by.ts';
import { countJudged } from './judged.ts';
import { withLookFor } from './look-for.ts';
import { withPhotos } from './name-photos.ts';
import { type Known, type PostEnd, type WantedPost, wantedPosts } from './wanted-posts.ts';

export type Coverage = ReturnType<typeof coverageOf>;

interface OpenNode {
  readonly address: Address;
  readonly status: 'failed' | 'unknown' | 'skipped' | 'gone';
  readonly problem?: Problem;
  readonly source?: SourceRef;
}

/** `items`: how many posts the manifest asks for; each is counted once by how it ended, so that the others add up to it. */
export interface PostCounts {
  readonly items: number;
  readonly done: number;
  readonly pending: number;
  /** Of the pending ones, those that are generated: only their files are missing. */
  readonly to_download: number;
  readonly failed: number;
  readonly unknown: number;
  /** By somebody (`campaign resolve --skip`): there is no picture, and nothing is open. */
  readonly given_up: number;
  /** Never made: a run requests it. */
  readonly missing: number;
  /** Of the missing ones, those that no run requests before something else is decided. */
  readonly blocked: number;
  /** Of those that are done or pending, the ones whose inputs have changed since; held back or not. */
  readonly outdated: number;
  /** Of those that are done, the ones whose inputs have changed and that are kept: approved, or `regenerate: never`. */
  readonly kept: number;
  /** Of those that are done, the ones that somebody rejected. */
  readonly rejected: number;
  /** Of those that are done, the ones with a file that is not where it was put. */
  readonly files_missing: number;
}

export function coverageOf(graph: Graph, state: RunState, known: Known) {
  const { plan } = known;
  const wanted = wantedPosts(graph, state, known);
  const byPath = groupBy(wanted, ({ post }) => post);
  const byPost = graph.posts.map(({ path, items }) => ({
    post: path,
    ...countPosts(byPath.get(path) ?? [], items.length),
  }));
  const { items, unknown: _, rejected: __, ...sums } = sumOf(byPost);
  return {
    posts: items,
    ...sums,
    unknown: plan.unknown.reduce((total, { counts }) => total + counts, 0),
    ...countJudged(wanted.flatMap(({ judged }) => judged ?? [])),
    post_plans: postPlansOf(byPost),
    by_post: byPost,
    /** What needs a decision, with its cause: failures, unknown creates, and what was given up while others need it. */
    open: [
      ...plan.failed.map((noted) => openNode(noted, whyFailed(noted))),
      ...triedAgain(state, plan),
      ...plan.unknown.map((noted) => openNode(noted, 'unknown')),
    ].map((node) =>
      node.problem ? { ...node, problem: explained(node.problem, node, { graph, state }) } : node,
    ),
  };
}

function countPosts(posts: readonly WantedPost[], items: number): PostCounts {
  const count = (is: (post: WantedPost) => boolean) => posts.filter(is).length;
  const ended = (end: PostEnd) => count((post) => post.end === end);
  const kept = {
    done: ended('done'),
    pending: ended('pending'),
    failed: ended('failed'),
    unknown: ended('unknown'),
    given_up: ended('given_up'),
  };
  // An item that waits for the others of its post is in neither the state nor the plan.
  const missing = Math.max(0, items - Object.values(kept).reduce((sum, number) => sum + number, 0));
  return {
    items,
    ...kept,
    missing,
    blocked: Math.max(0, missing - ended('missing')),
    to_download: count(({ isGenerated }) => isGenerated),
    outdated: count(({ isOutdated }) => isOutdated),
    kept: count(({ isKept }) => isKept),
    rejected: count(({ judged }) => judged === 'rejected'),
    files_missing: count(({ lacksFiles }) => lacksFiles),
  };
}

/** The counts of several posts or post plans together. */
export function sumOf(rows: readonly PostCounts[]): PostCounts {
  const sum = (key: keyof PostCounts) => rows.reduce((total, row) => total + row[key], 0);
  return {
    items: sum('items'),
    done: sum('done'),
    pending: sum('pending'),
    to_download: sum('to_download'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    given_up: sum('given_up'),
    missing: sum('missing'),
    blocked: sum('blocked'),
    outdated: sum('outdated'),
    kept: sum('kept'),
    rejected: sum('rejected'),
    files_missing: sum('files_missing'),
  };
}

function postPlansOf(byPost: readonly (PostCounts & { readonly post: string })[]) {
  const plans = groupBy(byPost, ({ post }) => postPlanOf(post));
  return [...plans].map(([post_plan, rows]) => ({ post_plan, instances: rows.length, ...sumOf(rows) }));
}

/** Of products and concepts, a plan lists only those that are gone or were given up. */
function whyFailed({ address, isGone }: Noted): OpenNode['status'] {
  if (isGone) return 'gone';
  return storedAs(address) === 'take' ? 'failed' : 'skipped';
}

function openNode({ address, problem, evidence, source }: Noted, status: OpenNode['status']): OpenNode {
  const cause = problem ?? (evidence && evidenceProblem(evidence));
  return { address, status, ...(cause && { problem: cause }), ...(source !== undefined && { source }) };
}

function evidenceProblem({ summary, detail }: Evidence): Problem {
  return { summary, ...(detail !== undefined && { detail }) };
}

function explained(
  problem: Problem,
  { address, status }: OpenNode,
  known: { readonly graph: Graph; readonly state: RunState },
): Problem {
  return status === 'unknown' ? withLookFor(problem, address, known) : withPhotos(problem, address, known);
}

/** Rejected creates and missing files: the next run tries them again. */
function triedAgain(state: RunState, plan: Plan): OpenNode[] {
  const lastOf = new Map([...state.requests.values()].map((request) => [request.payload.post, request]));
  const lastProblem = (node: PlannedNode): Problem | undefined => {
    if (kindHas(node, 'stored', 'object')) return state.objects.get(node.address)?.problem;
    if (kindHas(node, 'stored', 'request')) {
      const last = lastOf.get(node.payload.post);
      return last?.status === 'failed' ? last.problem : undefined;
    }
    if (!kindHas(node, 'stored', 'files')) return undefined;
    const { post, item, take } = node.payload;
    const known = state.media.get(mediaAddress(post, item))?.takes.find(({ n }) => n === take);
    // A take that failed itself is listed as failed.
    return known?.status === 'done' ? known.problem : undefined;
  };
  return plan.nodes.flatMap((node) => {
    const problem = lastProblem(node);
    return problem ? [openNode({ ...node, problem, counts: 1 }, 'failed')] : [];
  });
}
