import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { readId } from './read-id.ts';

/** A created item as the service returned it, with every field (`media_path` may refer to any), and its id as text. */
export type CreatedItem = JsonObject & { readonly id: string };

export interface MediaConfigAnswer {
  id: string;
  /** Undefined where the answer does not say. */
  concept_id?: string;
  number_of_posts?: number;
  items: readonly CreatedItem[];
}

export function readMediaConfig(data: Json | undefined): Result<MediaConfigAnswer, string> {
  if (!isJsonObject(data)) return err('it holds no media configuration');
  const id = readId(data['id']);
  if (id === undefined) return err('it has no id');
  const items = readItems(data['items']);
  if (items === undefined) return err(`it was given the id ${id}, but has no list of items with ids`);
  const seen = new Set<string>();
  const twice = items.find((item) => seen.size === seen.add(item.id).size)?.id;
  if (twice !== undefined) return err(`it was given the id ${id}, but has two items with the id ${twice}`);
  const concept = data['content_pillar'];
  const conceptId = readId(isJsonObject(concept) ? concept['id'] : concept);
  const posts = data['number_of_posts'];
  return ok({
    id,
    ...(conceptId === undefined ? {} : { concept_id: conceptId }),
    ...(typeof posts === 'number' ? { number_of_posts: posts } : {}),
    items,
  });
}

function readItems(list: Json | undefined): CreatedItem[] | undefined {
  if (!isJsonArray(list)) return undefined;
  const items = list.flatMap((item) => {
    const id = isJsonObject(item) ? readId(item['id']) : undefined;
    return isJsonObject(item) && id !== undefined ? [{ ...item, id }] : [];
  });
  return items.length === list.length ? items : undefined;
}
