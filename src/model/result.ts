/** What a finished node gives to the nodes that depend on it; kept in the state. */
import type { JsonObject } from '../util/json.ts';
import type { OutputFile } from './payload.ts';

/** Without a URL where it is signed: the state holds none that opens more than its path does. */
export type UploadResult = { readonly url?: string };

/** `url` is the product's first image, where one is known that the manifest wrote or that is not signed. */
export type ProductResult = { readonly id: string; readonly url?: string };

export type ConceptResult = { readonly id: string };

export type RequestResult = {
  readonly id: string;
  /** Id of the concept as the service sees it. */
  readonly concept: string;
  /**
   * The created items by our item names: their ids, the fields that `media_path` names, and the post type that was asked
   * for. An item without one was not made.
   */
  readonly items: Readonly<Record<string, JsonObject>>;
  /** Names of items that the service made beyond those sent. */
  readonly surplus?: readonly string[];
};

/** The created item of one of our names; a name may be one that every object has (`constructor`). */
export function createdItem({ items }: RequestResult, name: string): JsonObject | undefined {
  return Object.hasOwn(items, name) ? items[name] : undefined;
}

/** `id` is the id of the generated media, `urls` were its files at the time of the poll, without user info and query. */
export type MediaResult = { readonly id: string; readonly urls: readonly string[] };

export type DownloadResult = {
  /** Id of the generated media. */
  readonly media: string;
  readonly files: readonly OutputFile[];
  /** Files of older takes that gave up their name for these. */
  readonly renamed?: readonly { readonly take: number; readonly files: readonly OutputFile[] }[];
};

export type NodeResult =
  | UploadResult
  | ProductResult
  | ConceptResult
  | RequestResult
  | MediaResult
  | DownloadResult;

/** A fact about the service that one node found out and all others use. */
export type Learned = { readonly name: string; readonly value: string };
