/** Which posts the service generates: from the end of their request on, whenever they are polled for the first time. */
import { type Address, mediaAddress, takeAddress } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan, PlannedNode } from '../model/plan.ts';

/** Those that earlier runs have requested, with the time from which on they are counted. */
export function generatingFromBefore({ nodes }: Plan, startedAt: number): Map<Address, number> {
  return new Map(nodes.listed.filter(isRequested).map(({ address }) => [address, startedAt]));
}

/** Whether it is the post of an earlier request; one that had failed, and is only looked for again, is generated no more. */
export function isRequested(node: PlannedNode): boolean {
  return kindHas(node, 'stored', 'take') && node.action === 'resume' && !node.again;
}

export function requestsIn({ nodes }: Plan): ReadonlyMap<Address, PlannedNode> {
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  return new Map(requests.map((node) => [node.address, node]));
}

/** The posts that a request asks for by address. */
export function postsOf(request: PlannedNode | undefined): Address[] {
  if (!request || !kindHas(request, 'stored', 'request')) return [];
  const { post, n, items } = request.payload;
  return items.map(({ item }) => takeAddress(mediaAddress(post, item), n));
}
