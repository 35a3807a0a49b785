import { isJsonArray, isJsonObject, type Json, textOf } from '../util/json.ts';
import { isSameId, readId } from './read-id.ts';
import type { CreatedItem } from './read-media-config.ts';
import type { MediaRecord, ProductRecord } from './wire.ts';

/** `askedId` is used where the answer does not repeat the id. */
export function readProduct(data: Json | undefined, askedId?: string): ProductRecord | undefined {
  const record = recordOf(data, askedId);
  if (!record) return undefined;
  return {
    id: record.id,
    created_at: readTextField(record['created_at']),
    updated_at: readTextField(record['updated_at']),
    name: readTextField(record['name']),
    description: readTextField(record['description']),
    variant: readTextField(record['variant']),
    media_urls: record['media_urls'] ?? null,
  };
}

/** Why an answer is not surely the product that was asked for; undefined where it is. */
export function whyNoProduct(data: Json | undefined, askedId: string): string | undefined {
  if (!isJsonObject(data)) return 'it holds no record';
  const id = readId(data['id']);
  if (id === undefined) return 'it has no id';
  if (!isSameId(id, askedId)) return `it is about ${id}`;
  const foreign = ['items', 'generate_config', 'ref_images', 'content_pillar'].find((name) => name in data);
  if (foreign !== undefined) return `it has ${foreign}, so it is no product`;
  if (!('media_urls' in data) && !('variant' in data)) return 'it has neither images nor a variant';
  const retyped = ['name', 'description', 'variant'].find((name) => !isTextOrNone(data[name]));
  if (retyped !== undefined) return `its ${retyped} is no text`;
  const images = data['media_urls'] ?? [];
  const isList =
    isJsonArray(images) && images.every((image) => typeof image === 'string' || isJsonObject(image));
  return isList || typeof images === 'string' ? undefined : 'its media_urls is no list of images';
}

function isTextOrNone(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

export function readConcept(data: Json | undefined, askedId?: string): { id: string } | undefined {
  const record = recordOf(data, askedId);
  return record && { id: record.id };
}

export type MediaAnswer = Pick<
  MediaRecord,
  'id' | 'generate_config' | 'estimated_duration' | 'media_info' | 'status' | 'error_message'
> & {
  /** The URL that was asked: paths in `media_info` are meant from there. */
  readonly askedAt?: string | undefined;
};

/** The media configuration may be given by its id alone. */
export function readMedia(data: Json | undefined, askedId: string): MediaAnswer | undefined {
  if (!isJsonObject(data)) return undefined;
  const id = (data['id'] ?? '') === '' ? askedId : readId(data['id']);
  if (id === undefined) return undefined;
  const config = data['generate_config'];
  return {
    id,
    generate_config: readId(isJsonObject(config) ? config['id'] : config) ?? '',
    estimated_duration: readTextField(data['estimated_duration']),
    media_info: readTextField(data['media_info']),
    status: readTextField(data['status']),
    error_message: readTextField(data['error_message']),
  };
}

/** An update may be answered without a record, a create may not. */
function recordOf(data: Json | undefined, askedId?: string): CreatedItem | undefined {
  const record = data === undefined && askedId !== undefined ? {} : data;
  if (!isJsonObject(record)) return undefined;
  const id = readId(record['id']) ?? askedId;
  return id === undefined ? undefined : { ...record, id };
}

/** A field that should be text: numbers become digits, objects and lists JSON, an absent field the empty text. */
function readTextField(value: Json | undefined): string {
  return value === null ? '' : textOf(value);
}
