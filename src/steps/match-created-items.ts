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

interface KnownProduct {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
}

export function sentItem(
  { item, payload }: RequestedItem,
  productOf: (product: ObjectRef) => KnownProduct,
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
): CreatedItems {
  const given = assignItems(
    sent.map(({ body }) => factsOf(body)),
    created.map(factsOf),
  );
  const free = new Set(created.keys());
  const items: Record<string, CreatedItem> = {};
  for (const [index, { name }] of sent.entries()) {
    const at = given[index];
    const made = at === undefined ? undefined : created[at];
    if (at === undefined || !made) continue;
    items[name] = made;
    free.delete(at);
  }
  const surplus = created.filter((_, index) => free.has(index));
  const names = surplus.map((made, index) => {
    const name = String(nextItem + index);
    items[name] = made;
    return name;
  });
  return { items, surplus: names };
}
