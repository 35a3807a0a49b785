/** The result of a finished node, which its dependents need; kept in the state. */
import type { JsonObject } from '../util/json.ts';
import type {
  DownloadResult,
  MediaResult,
  ObjectResult,
  RequestResult,
  UploadResult,
} from './generated/state-record.js';

export type { DownloadResult, MediaResult, RequestResult, UploadResult } from './generated/state-record.js';

/** `url` is that of the product's first image, where the manifest wrote it or it is not signed. */
export type ProductResult = ObjectResult;

export type ConceptResult = Pick<ObjectResult, 'id'>;

/** The created item for an item's name. The name may be that of a member of every object (`constructor`). */
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

/** A fact about the service that one node learned and all others use. */
export type Learned = { readonly name: string; readonly value: string };
