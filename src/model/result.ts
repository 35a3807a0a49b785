/** The result of a finished node, which its dependents need; kept in the state. */
import type { JsonObject } from '../util/json.ts';
import type {
  DownloadResult,
  Drift,
  MediaResult,
  ObjectResult as ProductResult,
  RequestResult,
  Told,
  UploadResult,
} from './generated/state-record.js';

export type { DownloadResult, Drift, MediaResult, ProductResult, RequestResult, Told, UploadResult };

export type ConceptResult = Pick<ProductResult, 'id'>;

/** The created item for an item's name. The name may be that of a member of every object (`constructor`). */
export function createdItem({ items }: RequestResult, name: string): JsonObject | undefined {
  return Object.hasOwn(items, name) ? items[name] : undefined;
}

export type NodeResult = UploadResult | ProductResult | RequestResult | MediaResult | DownloadResult;

export type Learned = { readonly name: string; readonly value: string };
