import type { RequestPayload } from '../model/payload.ts';
import { fieldsOfItem } from '../service/media-path.ts';
import type { CreatedItem } from '../service/read-media-config.ts';
import type { PostType } from '../service/wire.ts';
import { isJsonObject, type Json, type JsonObject } from '../util/json.ts';
import { factsOf } from './item-facts.ts';
import type { CreatedItems } from './match-created-items.ts';

/**
 * What the state keeps of created items: their ids, the fields that `media_path` names, and their type in the words of
 * the request. Nothing else of an answer is stored; a field that is named later is read again.
 */
export function keptItems(
  { items }: Pick<CreatedItems, 'items'>,
  { payload, template }: { readonly payload: RequestPayload; readonly template: string | undefined },
): Record<string, JsonObject> {
  const fields = fieldsOfItem(template ?? '');
  const kept = Object.entries(items).map(([name, item]) => {
    const asked = payload.items.find((one) => one.item === name)?.payload;
    const what = asked ? { post_type: asked.post_type } : surplusKind(item, payload);
    return [name, { ...pick(item, fields), id: item.id, ...what }] as const;
  });
  return Object.fromEntries(kept);
}

const POST_TYPES: readonly PostType[] = ['image', 'video', 'carousel'];

/** The kind of a surplus item becomes part of file names, so only words of the request are used. */
function surplusKind(item: CreatedItem, { items }: RequestPayload): JsonObject {
  const { told } = factsOf(item);
  const asked = new Set(items.map(({ payload }) => payload.post_type));
  const [only] = asked.size === 1 ? asked : [];
  const type = POST_TYPES.find((one) => one === told.get('post_type')) ?? only;
  const ratio = items
    .map(({ payload }) => payload.metadata.aspect_ratio)
    .find((one) => one === told.get('metadata aspect_ratio'));
  return {
    ...(type === undefined ? {} : { post_type: type }),
    ...(ratio === undefined ? {} : { metadata: { aspect_ratio: ratio } }),
  };
}

function pick(record: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const names = new Set(paths.flatMap(([name]) => name ?? []));
  const picked = [...names].flatMap((name): [string, Json][] => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return [[name, value]];
    const deeper = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    return isJsonObject(value) ? [[name, pick(value, deeper)]] : [];
  });
  return Object.fromEntries(picked);
}
