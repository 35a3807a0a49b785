import { isJsonObject, type Json, type JsonObject } from '../util/json.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';
import type { ConceptRecord, MediaRecord, ProductRecord } from './wire.ts';

/** `askedId` is used where the answer does not repeat the id. */
export function readProduct(data: Json | undefined, askedId?: string): ProductRecord | undefined {
  const record = fieldsOf(data, askedId);
  const id = readId(record?.['id']) ?? askedId;
  if (record === undefined || id === undefined) return undefined;
  return {
    id,
    created_at: readText(record['created_at']),
    updated_at: readText(record['updated_at']),
    name: readText(record['name']),
    description: readText(record['description']),
    variant: readText(record['variant']),
    media_urls: record['media_urls'] ?? null,
  };
}

/** `askedId` as for products. */
export function readConcept(data: Json | undefined, askedId?: string): ConceptRecord | undefined {
  const record = fieldsOf(data, askedId);
  const id = readId(record?.['id']) ?? askedId;
  if (record === undefined || id === undefined) return undefined;
  return {
    id,
    name: record['name'] == null ? null : readText(record['name']),
    description: record['description'] == null ? null : readText(record['description']),
    created_at: readText(record['created_at']),
    updated_at: readText(record['updated_at']),
    ref_images: record['ref_images'] ?? null,
  };
}

/** A generated medium; embedded records may be given by their ids alone. */
export function readMedia(data: Json | undefined, askedId: string): MediaRecord | undefined {
  if (!isJsonObject(data)) return undefined;
  const given = data['id'];
  const id = given === undefined || given === null || given === '' ? askedId : readId(given);
  if (id === undefined) return undefined;
  const config = data['generate_config'];
  const concept = data['content_pillar'];
  return {
    id,
    content_pillar: readConcept(isJsonObject(concept) ? concept : { id: concept ?? null }) ?? BLANK_CONCEPT,
    generate_config: readId(isJsonObject(config) ? config['id'] : config) ?? '',
    created_at: readText(data['created_at']),
    updated_at: readText(data['updated_at']),
    estimated_duration: readText(data['estimated_duration']),
    post_type: readText(data['post_type']),
    assets_used: readText(data['assets_used']),
    media_info: readText(data['media_info']),
    status: readText(data['status']),
    error_message: readText(data['error_message']),
  };
}

const BLANK_CONCEPT: ConceptRecord = {
  id: '',
  name: null,
  description: null,
  created_at: '',
  updated_at: '',
  ref_images: null,
};

/** An update may be answered without a record, a create may not. */
function fieldsOf(data: Json | undefined, askedId: string | undefined): JsonObject | undefined {
  if (isJsonObject(data)) return data;
  return data === undefined && askedId !== undefined ? {} : undefined;
}
