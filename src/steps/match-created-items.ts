/**
 * Finds the created item of each sent item: the interface says that items come back with ids, but not in which order.
 * What they repeat of the request shows which is which (assign-items.ts); the rest is surplus.
 */
import type { ObjectRef, RequestedItem } from '../model/payload.ts';
import type { CreatedItem } from '../service/read-media-config.ts';
import type { JsonObject } from '../util/json.ts';
import { assignItems } from './assign-items.ts';
import { factsOf } from './item-facts.ts';

export interface CreatedItems {
  /** By the names of the sent items; an item without an entry was not made. */
  readonly items: Readonly<Record<string, CreatedItem>>;
  /** Names of items beyond those that were sent. */
  readonly surplus: readonly string[];
}

/** An item with every field that was sent, or that the full form would have. */
export interface SentItem {
  readonly name: string;
  readonly body: JsonObject;
}

export function sentItem(
  { item, payload }: RequestedItem,
  productOf: (product: ObjectRef) => { readonly id?: string; readonly url?: string | undefined },
): SentItem {
  const assets = payload.assets.map(({ type, product, url }) => {
    const known = productOf(product);
    return { type, product_id: known.id, url: url ?? known.url };
  });
  const descriptions = payload.descriptions.map((description) => ({ description }));
  return { name: item, body: { ...payload, assets, descriptions } };
}

export function matchCreatedItems(
  sent: readonly SentItem[],
  created: readonly CreatedItem[],
  nextItem: number,
  unlike?: 'paired' | 'left',
): CreatedItems {
  const given = assignItems(
    sent.map(({ body }) => factsOf(body)),
    created.map(factsOf),
    unlike,
  );
  const items = sent.flatMap(({ name }, index) => {
    const made = created[given[index] ?? -1];
    return made ? [[name, made] as const] : [];
  });
  const rest = created.filter((_, at) => !given.includes(at));
  const surplus = rest.map((made, index) => [String(nextItem + index), made] as const);
  return { items: Object.fromEntries([...items, ...surplus]), surplus: surplus.map(([name]) => name) };
}
