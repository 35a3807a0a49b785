import { type Address, requestAddress } from '../model/address.ts';
import type { Graph, GraphPost } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { listNodes, type NodeRow } from './list-nodes.ts';
import type { Known } from './wanted-posts.ts';

export type GraphStatus = NodeRow['status'];

/** What has become of a node, the most urgent first. */
export const GRAPH_STATUSES = [
  'failed',
  'gone',
  'unknown',
  'outdated',
  'pending',
  'blocked',
  'missing',
  'given_up',
  'done',
  'unneeded',
] as const satisfies readonly GraphStatus[];

/** What a state adds to a graph. */
export interface DrawnState {
  /** Of the items of a post, in their order; without a state, items are numbered as in a first run. */
  readonly addresses: (post: GraphPost) => readonly Address[] | undefined;
  readonly statuses: (address: Address) => GraphStatus | undefined;
}

interface Planned extends Known {
  /** What the plan was made over: the state after the moves, and which of its posts each item is. */
  readonly matched: {
    readonly state: Pick<RunState, 'requests'>;
    readonly posts: readonly {
      readonly post: GraphPost;
      readonly items: readonly { readonly address: Address }[];
    }[];
  };
}

export function drawnState(graph: Graph, state: RunState, { matched, ...known }: Planned): DrawnState {
  const statuses = new Map(listNodes(graph, state, known).map(({ address, status }) => [address, status]));
  const addresses = new Map(
    matched.posts.map(({ post, items }) => [post.path, items.map(({ address }) => address)]),
  );
  const refused = refusedRequests(known.plan, matched.state);
  for (const [path, posts] of addresses) {
    const ends = posts.map((address) => AS_REQUEST[statuses.get(address) ?? 'missing']);
    const urgent = GRAPH_STATUSES.find((status) => ends.includes(status)) ?? 'done';
    statuses.set(requestAddress(path, 1), refused.has(path) ? 'failed' : urgent);
  }
  return { addresses: ({ path }) => addresses.get(path), statuses: (address) => statuses.get(address) };
}

/** What a post says of its request: it was made where the post ended, in whatever way. */
const AS_REQUEST: Readonly<Record<GraphStatus, GraphStatus>> = {
  failed: 'done',
  gone: 'done',
  unknown: 'unknown',
  outdated: 'outdated',
  pending: 'pending',
  blocked: 'blocked',
  missing: 'missing',
  given_up: 'done',
  done: 'done',
  unneeded: 'done',
};

/** Posts that are requested again because the service refused their last request. */
function refusedRequests({ nodes }: Plan, { requests }: Pick<RunState, 'requests'>): ReadonlySet<string> {
  const last = new Map([...requests.values()].map((request) => [request.payload.post, request]));
  const refused = nodes.listed.flatMap((node) => {
    if (!kindHas(node, 'stored', 'request')) return [];
    return last.get(node.payload.post)?.status === 'failed' ? [node.payload.post] : [];
  });
  return new Set(refused);
}
