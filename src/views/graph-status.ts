import { type Address, mediaAddress, mediaOf, requestAddress, takeAddress } from '../model/address.ts';
import type { GraphPost } from '../model/graph.ts';
import { kindHas, storedAs } from '../model/kinds.ts';
import type { Noted, Plan } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import type { Verdicts } from '../model/verdict.ts';
import { judgedAs } from './judged.ts';

/** What has become of a node, the most urgent first. */
export const GRAPH_STATUSES = [
  'failed',
  'gone',
  'unknown',
  'rejected',
  'out-of-date',
  'pending',
  'blocked',
  'missing',
  'given-up',
  'done',
] as const;

export type GraphStatus = (typeof GRAPH_STATUSES)[number];

/** What a state adds to a graph. */
export interface DrawnState {
  /** Of the items of a post, in their order; without a state, items are numbered as in a first run. */
  readonly addresses: (post: GraphPost) => readonly Address[] | undefined;
  readonly statuses: (address: Address) => GraphStatus | undefined;
}

/** A plan, and what it was made over: the state after the moves, and which of its posts each item is. */
interface Planned {
  readonly plan: Plan;
  readonly state: Pick<RunState, 'objects' | 'requests'>;
  readonly posts: readonly {
    readonly post: GraphPost;
    readonly items: readonly { readonly address: Address; readonly known?: MediaState }[];
  }[];
  readonly verdicts: Verdicts;
}

export function drawnState(planned: Planned): DrawnState {
  const statuses = new Map<Address, GraphStatus>([...objectStatuses(planned), ...postStatuses(planned)]);
  const addresses = new Map(planned.posts.map(({ post, items }) => [post.path, items.map((i) => i.address)]));
  return { addresses: ({ path }) => addresses.get(path), statuses: (address) => statuses.get(address) };
}

function objectStatuses({ plan, state }: Planned): Map<Address, GraphStatus> {
  const statuses = new Map<Address, GraphStatus>();
  for (const { address, result } of state.objects.values()) if (result) statuses.set(address, 'done');
  for (const node of plan.nodes.listed) {
    if (!kindHas(node, 'stored', 'object')) continue;
    const { address, action } = node;
    const isRefused = state.objects.get(address)?.problem !== undefined;
    statuses.set(address, isRefused ? 'failed' : action === 'update' ? 'out-of-date' : 'missing');
  }
  const isObject = ({ address }: Noted) => storedAs(address) === 'object';
  for (const { address } of plan.unknown.filter(isObject)) statuses.set(address, 'unknown');
  for (const { address, isGone } of plan.failed.filter(isObject))
    statuses.set(address, isGone ? 'gone' : 'given-up');
  return statuses;
}

/** Of posts, by their addresses, and of the requests that make them, by those of the first. */
function* postStatuses({ plan, posts, state, verdicts }: Planned): Iterable<[Address, GraphStatus]> {
  const requested = new Map<Address, 'blocked' | 'missing'>();
  const withoutFile = new Set<Address>();
  for (const node of plan.nodes) {
    if (kindHas(node, 'stored', 'files')) withoutFile.add(mediaOf(node.address));
    if (!kindHas(node, 'stored', 'take') || node.action === 'resume') continue;
    const { post, item } = node.payload;
    requested.set(mediaAddress(post, item), node.action === 'blocked' ? 'blocked' : 'missing');
  }
  const refused = refusedRequests(plan, state);
  for (const { post, items } of posts) {
    let urgent: GraphStatus = 'done';
    for (const { address, known } of items) {
      const status = postStatus(known, { verdicts, planned: requested.get(address), withoutFile });
      yield [address, status];
      urgent = moreUrgent(urgent, AS_REQUEST[status] ?? status);
    }
    yield [requestAddress(post.path, 1), refused.has(post.path) ? 'failed' : urgent];
  }
}

/** A request whose posts ended, in whatever way, was made. */
const AS_REQUEST: Partial<Record<GraphStatus, GraphStatus>> = {
  failed: 'done',
  'given-up': 'done',
};

interface PostContext {
  readonly verdicts: Verdicts;
  /** Where this plan requests it. */
  readonly planned: 'blocked' | 'missing' | undefined;
  readonly withoutFile: ReadonlySet<Address>;
}

function postStatus(
  media: MediaState | undefined,
  { verdicts, planned, withoutFile }: PostContext,
): GraphStatus {
  const take = media && currentTake(media);
  if (!take) return planned ?? 'missing';
  if (take.status === 'done' && take.files) {
    if (judgedAs(media, verdicts) === 'rejected') return 'rejected';
    return planned ? 'out-of-date' : 'done';
  }
  if (planned) return planned;
  if (take.status === 'lost') return 'failed';
  if (take.status === 'skipped') return 'given-up';
  // A generated post is not done before its file is downloaded.
  if (take.status !== 'done' || !withoutFile.has(takeAddress(media.address, take.n))) return take.status;
  return take.problem ? 'failed' : 'pending';
}

/** Posts that are requested again because the service refused their last request. */
function refusedRequests(plan: Plan, { requests }: Planned['state']): ReadonlySet<string> {
  const last = new Map([...requests.values()].map((request) => [request.payload.post, request]));
  const refused = plan.nodes.listed.flatMap((node) => {
    if (!kindHas(node, 'stored', 'request')) return [];
    return last.get(node.payload.post)?.status === 'failed' ? [node.payload.post] : [];
  });
  return new Set(refused);
}

function moreUrgent(one: GraphStatus, other: GraphStatus): GraphStatus {
  return GRAPH_STATUSES.indexOf(other) < GRAPH_STATUSES.indexOf(one) ? other : one;
}
