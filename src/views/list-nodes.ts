import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import type { Action } from '../model/plan.ts';
import type { ObjectState, RunState } from '../model/run-state.ts';
import { type Known, type PostEnd, type WantedPost, wantedPosts } from './wanted-posts.ts';

/** `outdated`: it exists, and its inputs have changed; `gone`: the service has it no more; `unneeded`: nothing shows it. */
type NodeEnd = PostEnd | 'outdated' | 'gone' | 'unneeded';

/** An upload, product, concept or post; requests and files are part of their posts. */
export interface NodeRow {
  readonly address: Address;
  /** Of a post; absent for anything else. */
  readonly post?: string;
  readonly status: NodeEnd;
}

/** Every node that the manifest asks for, in its order. */
export function listNodes(graph: Graph, state: RunState, known: Known): NodeRow[] {
  const { moves, nodes } = known.plan;
  const before = new Map(moves.map(({ from, to }) => [to, from]));
  const planned = new Map(
    nodes.listed.flatMap((node) => (kindHas(node, 'stored', 'object') ? [[node.address, node.action]] : [])),
  );
  const objects = [...graph.objects.values()].map(({ address, external }): NodeRow => {
    if (external !== undefined) return { address, status: 'done' };
    const object = state.objects.get(before.get(address) ?? address);
    return { address, status: objectEnd(object, planned.get(address)) };
  });
  const order = new Map(graph.posts.map(({ path }, place) => [path, place]));
  const posts = wantedPosts(graph, state, known)
    .filter(({ post }) => order.has(post))
    .sort((a, b) => (order.get(a.post) ?? 0) - (order.get(b.post) ?? 0));
  return [...objects, ...posts.map(postRow)];
}

function postRow({ address, post, end, isOutdated }: WantedPost): NodeRow {
  return { address, post, status: isOutdated ? 'outdated' : end };
}

function objectEnd(object: ObjectState | undefined, action: Action | undefined): NodeEnd {
  if (object?.goneAt !== undefined) return 'gone';
  if (object?.status === 'failed' || object?.status === 'unknown') return object.status;
  if (object?.status === 'skipped') return 'given_up';
  if (action === 'blocked') return action;
  if (action !== undefined) return object ? 'outdated' : 'missing';
  return object ? 'done' : 'unneeded';
}
