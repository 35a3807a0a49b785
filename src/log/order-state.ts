import type { Address } from '../model/address.ts';
import { kindOf, orderOf } from '../model/kinds.ts';
import type { FoldState } from './fold-state.ts';

/**
 * Sorts a state in place. A fold has its nodes in the order in which answers came, which differs from run to run, and
 * everything that is shown of a state follows its order. Objects are sorted by kind and address, requests and media by
 * their post; within a post they keep the order of its requests and items, which has a meaning.
 */
export function orderState({ objects, requests, media }: FoldState): void {
  sort(objects, (address) => `${orderOf(kindOf(address) ?? 'upload')} ${address}`);
  sort(requests, (_, { payload }) => payload.post);
  sort(media, (_, { post }) => post);
}

/** By code units; stable. */
function sort<Node>(nodes: Map<Address, Node>, keyOf: (address: Address, node: Node) => string): void {
  const keyed = [...nodes].map(([address, node]) => ({ key: keyOf(address, node), address, node }));
  const isSorted = keyed.every(({ key }, index) => index === 0 || (keyed[index - 1]?.key ?? '') <= key);
  if (isSorted) return;
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  nodes.clear();
  for (const { address, node } of keyed) nodes.set(address, node);
}
