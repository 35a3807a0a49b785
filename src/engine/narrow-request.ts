/** A request of several items goes without those that cannot be made, unless its post is indivisible. */
import type { Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { RequestedItem } from '../model/payload.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';

/** Undefined where nothing is left of the request. */
export function withoutItems(
  request: PlannedAs<'request'>,
  isGone: (item: RequestedItem) => boolean,
): PlannedAs<'request'> | undefined {
  const { payload, whole } = request;
  const items = payload.items.filter((item) => !isGone(item));
  if (items.length === payload.items.length) return request;
  if (items.length === 0 || whole) return undefined;
  return { ...request, payload: { ...payload, items, numberOfPosts: items.length } };
}

/** A request without the items that show a product; undefined for whatever cannot go without that object. */
export function withoutProduct(node: PlannedNode, product: Address): PlannedAs<'request'> | undefined {
  if (!kindHas(node, 'stored', 'request')) return undefined;
  const left = withoutItems(node, ({ payload }) =>
    payload.assets.some(({ product: ref }) => refersTo(ref, product)),
  );
  if (!left || left === node || refersTo(node.payload.concept, product)) return undefined;
  // Its posts are in the run already, those that leave it too.
  return { ...left, takes: undefined, dependsOn: left.dependsOn.filter((address) => address !== product) };
}

function refersTo(ref: RequestedItem['payload']['assets'][number]['product'], address: Address): boolean {
  return 'address' in ref && ref.address === address;
}
