/**
 * What the manifest asks for. Items get their addresses from the state: an item has the number that it got when it was
 * first seen. `inputs` are what the fingerprint covers, upstream fingerprints included; `payload` is what a step needs.
 */
import type { JsonObject } from '../util/json.ts';
import type { Address } from './address.ts';
import type { KeyedKind, ObjectKind, Payloads } from './kinds.ts';
import type { ItemPayload, ObjectRef } from './payload.ts';
import type { Period } from './period.ts';
import type { SourceRef } from './source.ts';

export interface Graph {
  readonly objects: ReadonlyMap<Address, GraphObject>;
  readonly posts: readonly GraphPost[];
  /** `moved` of the manifest: for renames together with a change of content, and for ambiguous ones. */
  readonly moved: readonly { readonly from: Address; readonly to: Address }[];
}

interface ObjectBase {
  readonly address: Address;
  readonly inputs: JsonObject;
  readonly fingerprint: string;
  readonly dependsOn: readonly Address[];
  readonly source: SourceRef;
  /** The id of an object that exists already: it is used and never changed, so it is in no plan. */
  readonly external?: string;
}

export type GraphObject = {
  [Kind in ObjectKind]: ObjectBase & { readonly kind: Kind; readonly payload: Payloads[Kind] };
}[ObjectKind];

export interface GraphPost {
  /** `<post>[/<instance>]`. */
  readonly path: string;
  /** What the parts of its instance name, in their order, where it has a matrix: products, concepts, or nothing of these. */
  readonly instanceOf?: readonly (KeyedKind | undefined)[];
  /** Where its post plan has `every`; its name is the last part of the path. */
  readonly period?: Period;
  readonly concept: ObjectRef;
  readonly items: readonly GraphItem[];
  /** Present where it differs from the number of items: then the post is requested as a whole. */
  readonly numberOfPosts?: number;
  /** How many takes of an item are requested because of rejections; absent where the manifest says nothing. */
  readonly maxTakes?: number;
  /** Its posts are kept once they are generated, whatever changes. */
  readonly regenerate?: 'never';
  readonly source: SourceRef;
}

export interface GraphItem {
  readonly key?: string;
  readonly inputs: JsonObject;
  readonly fingerprint: string;
  readonly payload: ItemPayload;
  /** Products of this campaign that it shows; ids of other products are in the payload only. */
  readonly products: readonly Address[];
  readonly source: SourceRef;
}
