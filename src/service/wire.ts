/**
 * The service's records as they are sent: field names are the service's own, every timestamp is an ISO 8601 date-time,
 * every id a UUID. Only the client and the emulator share this file.
 */
import type { Json } from '../util/json.ts';

export type PostType = 'image' | 'video' | 'carousel';

/** `data` is absent after a delete and optional on failure. */
export interface Envelope<T> {
  data?: T;
  message: string;
  status: 'success' | 'failed';
}

export interface TokenData {
  access_token: string;
  token_type: string;
  /** Unit not documented: epoch seconds, epoch milliseconds or a lifetime in seconds. */
  expires_at: number;
}

export interface ProductRequest {
  name: string;
  variant: string;
  description?: string;
  media_urls: readonly { type: string; url: string }[];
}

export interface ProductRecord {
  id: string;
  created_at: string;
  updated_at: string;
  name: string;
  description: string;
  variant: string;
  media_urls: Json;
}

export interface ConceptRequest {
  name: string | null;
  description: string | null;
  ref_images: readonly { url: string }[];
}

export interface ConceptRecord {
  id: string;
  name: string | null;
  description: string | null;
  created_at: string;
  updated_at: string;
  ref_images: Json;
}

export interface MediaAsset {
  type: string;
  product_id: string;
  /** Required by the schema form, absent in the guide form. */
  url?: string;
}

export interface MediaItemRequest {
  post_type: PostType;
  assets: readonly MediaAsset[];
  /** Absent in the guide form. */
  variants?: readonly string[];
  descriptions?: readonly { description: string }[];
  metadata: { readonly aspect_ratio: string; readonly [field: string]: Json | undefined };
}

export interface MediaConfigRequest {
  content_pillar: string;
  number_of_posts: number;
  items: readonly MediaItemRequest[];
}

export interface MediaItemRecord {
  id: string;
  post_type: PostType;
  assets: Json;
  metadata: Json;
  variants: readonly string[];
  descriptions: Json;
}

export interface MediaConfigRecord {
  id: string;
  number_of_posts: number;
  content_pillar: ConceptRecord;
  items: readonly MediaItemRecord[];
}

export interface MediaRecord {
  id: string;
  content_pillar: ConceptRecord;
  /** Id of the media configuration. */
  generate_config: string;
  created_at: string;
  updated_at: string;
  estimated_duration: string;
  post_type: string;
  assets_used: string;
  /** Contents not documented: http(s) URLs, as JSON or plain text. */
  media_info: string;
  status: string;
  error_message: string;
}
