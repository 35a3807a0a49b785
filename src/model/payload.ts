/**
 * What a step needs to act, per node kind; plain data (types, not interfaces, so that they count as JSON).
 * References to other nodes are addresses: the engine hands the results of those nodes to the step.
 */
import type { JsonObject } from '../util/json.ts';
import type { Address } from './address.ts';

/** A node of this campaign, or an object of the service that the manifest knows by its id only. */
export type ObjectRef = { readonly address: Address } | { readonly id: string };

/** An image of a product or concept: one of our uploads, or an https URL written in the manifest. */
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

export type ItemPayload = {
  readonly post_type: 'image' | 'video' | 'carousel';
  readonly assets: readonly { readonly type: string; readonly product: ObjectRef; readonly url?: string }[];
  readonly variants: readonly string[];
  readonly descriptions: readonly string[];
  readonly metadata: { readonly aspect_ratio: string } & JsonObject;
};

/** One item of a request: `item` is the last part of its media address. */
export type RequestedItem = {
  readonly item: string;
  readonly fingerprint: string;
  readonly inputs: JsonObject;
  readonly payload: ItemPayload;
  /** Where it stands in the manifest; noted when the request is made. */
  readonly line?: number;
};

export type RequestPayload = {
  /** `<post>[/<instance>]`. */
  readonly post: string;
  /** Number of this request among those of the post; never reused. */
  readonly n: number;
  readonly concept: ObjectRef;
  readonly numberOfPosts: number;
  readonly items: readonly RequestedItem[];
  /** The number that the first surplus item gets, should the service make more than was asked. */
  readonly nextItem: number;
  /** Which text asked for it; noted when the request is made. */
  readonly manifest?: ManifestVersion;
};

export type ManifestVersion = {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** HEAD of the git repository that holds it; null where there is none. */
  readonly commit: string | null;
  /** Whether the file is not as that commit has it; null where there is none. */
  readonly dirty: boolean | null;
};

export type MediaPayload = {
  readonly post: string;
  readonly item: string;
  /** Take = number of the request that made it. */
  readonly take: number;
  readonly request: Address;
  /** The name of the item in its request: it may have been renamed since. */
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
  /** Files of older takes, and the path each goes to: its own, as `<name>.take<n>.<ext>`. */
  readonly older: readonly OlderTake[];
};

/** The payload of each kind. */
export type Payloads = {
  readonly upload: UploadPayload;
  readonly product: ProductPayload;
  readonly concept: ConceptPayload;
  readonly 'media-config': RequestPayload;
  readonly media: MediaPayload;
  readonly download: DownloadPayload;
};

/** One downloaded file. */
export type OutputFile = {
  /** Relative to the manifest's folder, `/` between the parts. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Why nobody can say that the file is whole; two fetches gave these bytes. Absent where it was looked through. */
  readonly unverified?: string;
};
