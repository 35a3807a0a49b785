import type { Budget } from '../model/budget.ts';
import type { KeyedKind, UnknownObjectKind } from '../model/kinds.ts';
import type { OutputTemplate } from '../model/output-path.ts';
import type { Every, Period } from '../model/period.ts';
import type { Locate, SourceRef } from '../model/source.ts';
import type { JsonObject } from '../util/json.ts';

/** The campaign after checking: variables are filled in, folders listed, matrices expanded, items have one form. */
export interface Manifest {
  /** As the user gave it, for messages. */
  readonly file: string;
  /** Absolute path of the folder that holds it: image and output paths are relative to it. */
  readonly folder: string;
  /** Whether photos and results may be outside of that folder (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  readonly name: string;
  readonly description?: string;
  readonly environment: Environment;
  /** It names environments, so that one has to be chosen. */
  readonly namesEnvironments?: true;
  readonly products: readonly Product[];
  readonly concepts: readonly Concept[];
  /** Globs of product folders, and product tables. */
  readonly productSources: readonly string[];
  /** Renames as written, by address. */
  readonly moved?: readonly { readonly from: string; readonly to: string }[];
  readonly limits: Limits;
  readonly budget?: Budget;
  readonly outputs: Outputs | false;
  /** The keys of all post plans. */
  readonly postPlans: readonly string[];
  /** Of the post plans with `every`. */
  readonly periods: readonly PlanPeriod[];
  readonly locate: Locate;
}

export interface PlanPeriod extends Period {
  /** The key of the post plan. */
  readonly post: string;
  readonly every: Every;
  readonly timezone: string;
}

/** Until the graph is built, which says the same of them. */
export interface ExpandedManifest extends Manifest {
  /** One per instance. */
  readonly posts: readonly Post[];
}

export interface Product {
  readonly key: string;
  /** The key where no name is written. */
  readonly name: string;
  /** The name of its folder, or its key in a table, as it is written: what the service is told where no name is written. */
  readonly defaultName?: string;
  readonly description?: string;
  readonly variant: string;
  readonly images: readonly ImageSource[];
  /** It exists already under this id, in the chosen environment: it is used and never changed. */
  readonly id?: string;
  readonly source: SourceRef;
}

export interface Concept {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  readonly refImages: readonly ImageSource[];
  readonly id?: string;
  readonly source: SourceRef;
}

/** The first image of a product is the asset's url. */
export type ImageSource =
  /** `file` is relative to the manifest's folder, with `/` between the parts; it exists. */
  | { readonly file: string; readonly source: SourceRef }
  | { readonly url: string; readonly source: SourceRef };

/** A key of this manifest, or the id of an object that the manifest does not define. */
export type KeyOrId = { readonly key: string } | { readonly id: string };

export interface Post {
  readonly key: string;
  /**
   * Slugs of the matrix values in the order of the sorted key names, then the period, joined by `+`; absent without a
   * matrix and `every`.
   */
  readonly instance?: string;
  /** What its parts name, in their order: products, concepts, or nothing of these. */
  readonly instanceOf?: readonly (KeyedKind | undefined)[];
  readonly period?: Period;
  readonly concept: KeyOrId;
  readonly numberOfPosts?: number;
  readonly maxTakes?: number;
  /** Its posts are kept once they are generated, whatever changes. */
  readonly regenerate?: 'never';
  readonly items: readonly Item[];
  readonly source: SourceRef;
}

export interface Item {
  readonly key?: string;
  readonly post_type: 'image' | 'video' | 'carousel';
  readonly assets: readonly Asset[];
  readonly variants: readonly string[];
  readonly descriptions: readonly string[];
  readonly metadata: { readonly aspect_ratio: string } & JsonObject;
  readonly source: SourceRef;
}

export interface Asset {
  readonly type: string;
  readonly product: KeyOrId;
  readonly url?: string;
}

/** Concurrency is the number of requests in flight: in all, and for single kinds. */
export interface Limits {
  readonly total: number;
  readonly perKind: Readonly<Record<string, number>>;
  readonly mediaInFlight: number;
  readonly requestsPerSecond?: number;
  readonly mediaTimeoutMs: number;
}

export type Outputs = OutputTemplate;

/** Where the campaign runs, and how the gaps of that service are filled; holds no secret. */
export interface Environment {
  readonly name: string;
  /** `emulator` for the embedded service. */
  readonly baseUrl: string;
  /** Name of the variable that holds the API key. */
  readonly apiKeyEnv?: string;
  readonly gaps: Gaps;
}

/** Settings for what the interface leaves open; an absent one has its default. */
export interface Gaps {
  readonly mediaPath?: string;
  readonly statuses?: { readonly done: readonly string[]; readonly failed: readonly string[] };
  readonly uploadUrl?: string;
  /** The largest file that the service takes. */
  readonly maxUploadBytes?: number;
  readonly form?: 'schema' | 'guide';
  readonly mediaUrls?: string;
  /** Statuses that, besides the usual ones, prove that a create did nothing; `!403` is one that does not. */
  readonly nothingDone?: readonly (number | string)[];
  readonly onUnknown?: Readonly<Partial<Record<UnknownObjectKind, 'hold' | 'retry'>>>;
  readonly timeouts?: { readonly answerMs?: number; readonly uploadMs?: number };
  /** Absolute paths of files in PEM form. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string };
}
