/**
 * What a step needs to act, for each kind of node. These are types, because interfaces do not count as JSON. The engine
 * hands the results of the nodes that are named by address to the step.
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

export type ImageRef = { readonly upload: Address } | { readonly url: string };

export type HashedImage = {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
};

/** What the service is told of an object in words. */
export type Written = { readonly name: string; readonly description?: string };

export type ProductPayload = Written & {
  readonly variant: string;
  readonly images: readonly ImageRef[];
  /** Its inputs do not tell the name, so the result does. */
  readonly recordName?: true;
};

export type MediaPayload = {
  readonly post: string;
  readonly item: string;
  readonly take: number;
  readonly request: Address;
  /** The name of the item in its request; the item may have been renamed since. */
  readonly requestedAs: string;
};

export type DownloadPayload = MediaPayload & {
  /** Without extension, relative to the manifest's folder, `/` between the parts. */
  readonly path: string;
  /** Files of older takes, and the new path of each: `<name>.take<n>.<ext>`. */
  readonly older: readonly {
    readonly take: number;
    readonly path: string;
    readonly files: readonly OutputFile[];
  }[];
};
