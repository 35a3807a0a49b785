import type { Address } from '../model/address.ts';
import { type NodeKind, kindOf, orderOf } from '../model/kinds.ts';
import type { MediaState, ObjectState, RequestState, RunState } from '../model/run-state.ts';
import type { Evidence } from '../model/state-event.ts';

/** A state for folding: its maps can grow, and open intents can be taken back. */
export interface FoldState extends RunState {
  readonly objects: Map<Address, ObjectState>;
  readonly requests: Map<Address, RequestState>;
  readonly media: Map<Address, MediaState>;
  readonly learned: Map<string, string>;
  readonly gone: Set<string>;
  readonly spending: {
    readonly open: Set<Address>;
    readonly carried: Map<string, { readonly posts: number; readonly cost: number }>;
    /** The command that wrote last. */
    command: string;
  };
  /**
   * The undo stack: what an object was before each of its open intents, the latest first, and null where it was not. There
   * are two where an unknown create was sent again, which a setting allows.
   */
  readonly before: Map<Address, readonly (ObjectState | null)[]>;
}

/** The evidence for a create whose end was never recorded. */
export const INTERRUPTED: Evidence = {
  summary: 'interrupted',
  detail: 'The run ended while the request was under way; the service may or may not have acted on it.',
};

/** What `campaign refresh` found at the service; the time is that of the first refresh that did not find it. */
export function markGone<Node extends { readonly goneAt?: string }>(
  { goneAt, ...rest }: Node,
  { found, at }: { readonly found: 'here' | 'gone'; readonly at: string },
) {
  return found === 'gone' ? { ...rest, goneAt: goneAt ?? at } : rest;
}

/** Uploads, products, concepts and posts: the nodes that plans and summaries count. */
export function countNodes(state: RunState): number {
  return state.objects.size + state.media.size;
}

/**
 * Sorts a state in place, because a fold has its nodes in the order in which answers came, which differs from run to
 * run. Within a post, requests and items keep their order, which has a meaning.
 */
export function orderState({ objects, requests, media }: FoldState): void {
  sort(objects, ({ address }) => `${orderOf(kindOf(address) as NodeKind)} ${address}`);
  sort(requests, ({ payload }) => payload.post);
  sort(media, ({ post }) => post);
}

/** By code units; stable. A state that is read on is mostly sorted. */
function sort<Node extends { readonly address: Address }>(
  nodes: Map<Address, Node>,
  keyOf: (node: Node) => string,
): void {
  if (isSorted(nodes.values(), keyOf)) return;
  const keyed = [...nodes.values()].map((node) => ({ key: keyOf(node), node }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  nodes.clear();
  for (const { node } of keyed) nodes.set(node.address, node);
}

function isSorted<Node>(nodes: Iterable<Node>, keyOf: (node: Node) => string): boolean {
  let before = '';
  for (const node of nodes) {
    const key = keyOf(node);
    if (key < before) return false;
    before = key;
  }
  return true;
}
