/**
 * What a step needs to act, for each kind of node: plain data (types, not interfaces, because only types count as
 * JSON). References to other nodes are addresses: the engine hands the results of those nodes to the step.
 */
import type { Address } from './address.ts';
import type { OutputFile } from './generated/state-record.js';

export type {
  ItemPayload,
  ManifestVersion,
  ObjectRef,
  OutputFile,
  RequestedItem,
  RequestPayload,
} from './generated/state-record.js';

/** An image of a product or concept: an upload of this campaign, or an https URL of the manifest. */
export type ImageRef = { readonly upload: Address } | { readonly url: string };

export type UploadPayload = {
  /** Path of one file with this content, relative to the manifest's folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Media type found in the content, e.g. `image/jpeg`. */
  readonly contentType: string;
};

export type ProductPayload = {
  readonly name: string;
  readonly description?: string;
  readonly variant: string;
  readonly images: readonly ImageRef[];
};

export type ConceptPayload = {
  readonly name: string;
  readonly description?: string;
  readonly ref_images: readonly ImageRef[];
};

export type MediaPayload = {
  readonly post: string;
  readonly item: string;
  /** The number of the request that made it. */
  readonly take: number;
  readonly request: Address;
  /** The name of the item in its request; the item may have been renamed since. */
  readonly requestedAs: string;
};

type OlderTake = { readonly take: number; readonly path: string; readonly files: readonly OutputFile[] };

export type DownloadPayload = {
  readonly post: string;
  readonly item: string;
  readonly take: number;
  readonly request: Address;
  readonly requestedAs: string;
  /** Path of the file without extension, relative to the manifest's folder, `/` between the parts. */
  readonly path: string;
  /** Files of older takes, and the new path of each: `<name>.take<n>.<ext>`. */
  readonly older: readonly OlderTake[];
};
