/** What a finished node gives to the nodes that depend on it; kept in the state. */
import type { JsonObject } from '../util/json.ts';
import type {
  DownloadResult,
  MediaResult,
  ObjectResult,
  RequestResult,
  UploadResult,
} from './generated/state-record.js';

export type { DownloadResult, MediaResult, RequestResult, UploadResult } from './generated/state-record.js';

/** `url` is the product's first image, where one is known that the manifest wrote or that is not signed. */
export type ProductResult = ObjectResult;

export type ConceptResult = Pick<ObjectResult, 'id'>;

/** The created item of one of our names; a name may be one that every object has (`constructor`). */
export function createdItem({ items }: RequestResult, name: string): JsonObject | undefined {
  return Object.hasOwn(items, name) ? items[name] : undefined;
}

export type NodeResult =
  | UploadResult
  | ProductResult
  | ConceptResult
  | RequestResult
  | MediaResult
  | DownloadResult;

/** A fact about the service that one node found out and all others use. */
export type Learned = { readonly name: string; readonly value: string };
