import { type Address, mediaAddress, mediaOf, splitMedia, takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas, storedAs } from '../model/kinds.ts';
import type { Noted, Plan, PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { currentTake, type MediaState, type NodeStatus, type RunState } from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import type { Evidence } from '../model/state-event.ts';
import type { Verdicts } from '../model/verdict.ts';
import { groupBy } from '../util/group-by.ts';
import { countJudged, type Judged, judgedAs } from './judged.ts';
import { withLookFor } from './look-for.ts';
import { withPhotos } from './name-photos.ts';
import { findSettled } from './settled.ts';

export type Coverage = ReturnType<typeof coverageOf>;

interface OpenNode {
  readonly address: Address;
  readonly status: 'failed' | 'unknown' | 'skipped' | 'gone';
  readonly problem?: Problem;
  readonly source?: SourceRef;
}

export function coverageOf(
  graph: Graph,
  state: RunState,
  { plan, verdicts }: { readonly plan: Plan; readonly verdicts: Verdicts },
) {
  const addressOf = afterMoves(plan);
  const kept = presentPosts(graph, state, plan).filter(isFinished);
  const judged = new Map(kept.map((media) => [addressOf(media), judgedAs(media, verdicts)]));
  const { missing, outdated, blocked } = requestedPosts(plan, judged);
  const statuses = statusesByPost(state, plan, { requested: missing, addressOf });
  const byPost = graph.posts.map(({ path, items }) => {
    const count = (...wanted: NodeStatus[]) =>
      (statuses.get(path) ?? []).filter(({ status }) => wanted.includes(status)).length;
    return {
      post: path,
      items: items.length,
      done: count('done'),
      outdated: outdated.get(path) ?? 0,
      pending: count('pending'),
      failed: count('failed', 'lost'),
      given_up: count('skipped'),
    };
  });
  const sum = (key: Exclude<keyof (typeof byPost)[number], 'post'>) =>
    byPost.reduce((total, post) => total + post[key], 0);
  return {
    posts: sum('items'),
    done: sum('done'),
    /** Of those that are done, the ones whose inputs have changed since. */
    outdated: sum('outdated'),
    pending: sum('pending'),
    failed: sum('failed'),
    unknown: plan.unknown.reduce((total, { counts }) => total + counts, 0),
    ...countJudged(judged.values()),
    /** By somebody (`campaign resolve --skip`): there is no picture, and nothing is open. */
    given_up: sum('given_up'),
    /** Neither finished nor under way: a run requests it. */
    missing: missing.size,
    /** Of the missing ones, those that no run requests before something else is decided. */
    blocked: blocked.size,
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

/** The posts that a run requests: those that are not finished, and, for each post plan, how many that are out of date. */
function requestedPosts(plan: Plan, finished: ReadonlyMap<Address, Judged>) {
  const missing = new Set<Address>();
  const outdated = new Map<string, number>();
  const blocked = new Set<Address>();
  for (const node of plan.nodes) {
    if (!kindHas(node, 'stored', 'take') || node.action === 'resume') continue;
    const { post, item } = node.payload;
    const address = mediaAddress(post, item);
    const judged = finished.get(address);
    if (judged === undefined) {
      missing.add(address);
      if (node.action === 'blocked') blocked.add(address);
    } else if (judged !== 'rejected') outdated.set(post, (outdated.get(post) ?? 0) + 1);
  }
  return { missing, outdated, blocked };
}

/** Posts that the manifest asks for. */
function presentPosts(graph: Graph, state: RunState, plan: Plan): MediaState[] {
  const addressOf = afterMoves(plan);
  const leftAlone = new Set(plan.leftAlone);
  const isSettled = findSettled(graph);
  return [...state.media.values()].filter((media) => {
    const address = addressOf(media);
    return !media.surplus && !leftAlone.has(address) && !isSettled(media, address);
  });
}

function afterMoves({ moves }: Plan) {
  const moved = new Map(moves.map(({ from, to }) => [from, to]));
  return ({ address }: MediaState) => moved.get(address) ?? address;
}

function isFinished(media: MediaState): boolean {
  const take = currentTake(media);
  return take?.status === 'done' && take.files !== undefined;
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

/** Only of posts that the manifest asks for and this plan does not request. */
function statusesByPost(
  state: RunState,
  plan: Plan,
  { requested, addressOf }: { requested: ReadonlySet<Address>; addressOf: (media: MediaState) => Address },
) {
  const leftAlone = new Set(plan.leftAlone);
  const withoutFile = new Set(
    plan.nodes.flatMap((node) => (kindHas(node, 'stored', 'files') ? [mediaOf(node.address)] : [])),
  );
  const asked = [...state.media.values()].flatMap((media) => {
    const address = addressOf(media);
    const take = currentTake(media);
    if (media.surplus || !take || leftAlone.has(address) || requested.has(address)) return [];
    // A generated post is not done before its file is downloaded.
    const isUnfetched = take.status === 'done' && withoutFile.has(takeAddress(address, take.n));
    const unfetched = take.problem ? 'failed' : 'pending';
    return [{ post: splitMedia(address).post, status: isUnfetched ? unfetched : take.status }];
  });
  return groupBy(asked, ({ post }) => post);
}
