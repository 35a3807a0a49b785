/**
 * Which created item is which sent one: the interface says that created items come back with ids, not in which
 * order. Unambiguous pairs of post type and ratio first, the rest by order; what is left over is surplus.
 */
import type { RequestedItem } from '../model/payload.ts';
import type { CreatedItem } from '../service/read-media-config.ts';
import { isJsonObject, type Json, parseJson } from '../util/json.ts';

export interface CreatedItems {
  /** By the names of our items; an item without an entry was not made. */
  readonly items: Readonly<Record<string, CreatedItem>>;
  /** Names of those made beyond what was sent. */
  readonly surplus: readonly string[];
}

/** Pairs the items; surplus ones are numbered from `nextItem`. */
export function matchCreatedItems(
  sent: readonly RequestedItem[],
  created: readonly CreatedItem[],
  nextItem: number,
): CreatedItems {
  const items: Record<string, CreatedItem> = {};
  const open = new Set(sent);
  const free = new Set(created);
  const pair = (item: RequestedItem, made: CreatedItem | undefined) => {
    if (!made) return;
    items[item.item] = made;
    open.delete(item);
    free.delete(made);
  };
  for (const item of sent) {
    const kind = sentKind(item);
    const rivals = sent.filter((other) => sentKind(other) === kind);
    const candidates = created.filter((made) => createdKind(made) === kind);
    if (rivals.length === 1 && candidates.length === 1) pair(item, candidates[0]);
  }
  for (const item of sent.filter((rest) => open.has(rest))) {
    pair(
      item,
      [...free].find(({ post_type: type }) => type === item.payload.post_type),
    );
  }
  for (const item of sent.filter((rest) => open.has(rest))) pair(item, [...free][0]);
  const surplus = [...free].map((made, index) => {
    const name = String(nextItem + index);
    items[name] = made;
    return name;
  });
  return { items, surplus };
}

function sentKind({ payload }: RequestedItem): string {
  return `${payload.post_type} ${payload.metadata.aspect_ratio}`;
}

/** `metadata` has no documented shape: an object, or JSON in a string; without a ratio nothing is unambiguous. */
function createdKind({ post_type: type, metadata }: CreatedItem): string | undefined {
  const read = typeof metadata === 'string' ? parsed(metadata) : metadata;
  const ratio = isJsonObject(read) ? read['aspect_ratio'] : undefined;
  return typeof type === 'string' && typeof ratio === 'string' ? `${type} ${ratio}` : undefined;
}

function parsed(text: string): Json | undefined {
  const json = parseJson(text);
  return json.ok ? json.value : undefined;
}
