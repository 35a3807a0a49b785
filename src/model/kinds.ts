import { type Address, splitTake } from './address.ts';
import type {
  DownloadPayload,
  HashedImage,
  ImageRef,
  MediaPayload,
  ProductPayload,
  RequestPayload,
  Written,
} from './payload.ts';

/**
 * Everything that differs between kinds of nodes, dependencies first. Except for a kind's own step, graph node and wire
 * functions, code asks this table and names no kind.
 */
interface Kind {
  /** What the state keeps: a request with its items, the take of an item, the files of a take, or an object. */
  readonly stored: 'object' | 'request' | 'take' | 'files';
  /**
   * What it makes at the service. An `object` is addressed by its key in the manifest; a `link` by the content of its
   * file, so it cannot be renamed, and it is made only if another node needs it. `nothing`: it only reads.
   */
  readonly creates: 'link' | 'object' | 'posts' | 'nothing';
  /**
   * What a create without a recorded end means. `repeat`: a second one does no harm. `unknown`: a second one would cost
   * another object, so the intent is recorded before it is sent, and without an end a person decides.
   */
  readonly interrupted: 'repeat' | 'unknown';
  /** What an update sends: the fields that changed, or all of them. */
  readonly update: 'changes' | 'whole' | 'none';
  /** Whether the service can delete it: by its id, with the request that made it, or not at all. */
  readonly deleted: 'by its id' | 'with its request' | 'never';
  /** How it counts in plans and summaries: as itself, as the post whose files it downloads, or not at all. */
  readonly counted: 'itself' | 'as its post' | 'never';
  readonly localFiles: 'reads' | 'writes' | 'none';
  /** What limits it besides requests in flight: `limits.media_in_flight`, or the rate of repeated polls. */
  readonly limit: 'media in flight' | 'polls' | 'none';
  readonly words: { readonly working: string; readonly done: string };
}

export const KINDS = {
  upload: {
    stored: 'object',
    creates: 'link',
    interrupted: 'repeat',
    update: 'none',
    deleted: 'never',
    counted: 'itself',
    localFiles: 'reads',
    limit: 'none',
    words: { working: 'uploading', done: 'uploaded' },
  },
  product: {
    stored: 'object',
    creates: 'object',
    interrupted: 'unknown',
    update: 'changes',
    deleted: 'by its id',
    counted: 'itself',
    localFiles: 'none',
    limit: 'none',
    words: { working: 'creating', done: 'created' },
  },
  concept: {
    stored: 'object',
    creates: 'object',
    interrupted: 'unknown',
    update: 'whole',
    deleted: 'by its id',
    counted: 'itself',
    localFiles: 'none',
    limit: 'none',
    words: { working: 'creating', done: 'created' },
  },
  'media-config': {
    stored: 'request',
    creates: 'posts',
    interrupted: 'unknown',
    update: 'none',
    deleted: 'by its id',
    counted: 'never',
    localFiles: 'none',
    limit: 'media in flight',
    words: { working: 'requesting', done: 'requested' },
  },
  media: {
    stored: 'take',
    creates: 'nothing',
    interrupted: 'repeat',
    update: 'none',
    deleted: 'with its request',
    counted: 'itself',
    localFiles: 'none',
    limit: 'polls',
    words: { working: 'generating', done: 'generated' },
  },
  download: {
    stored: 'files',
    creates: 'nothing',
    interrupted: 'repeat',
    update: 'none',
    deleted: 'with its request',
    counted: 'as its post',
    localFiles: 'writes',
    limit: 'none',
    words: { working: 'downloading', done: 'downloaded' },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type NodeKind = keyof typeof KINDS;

/** What its step needs. */
export interface Payloads {
  readonly upload: HashedImage;
  readonly product: ProductPayload;
  readonly concept: Written & { readonly ref_images: readonly ImageRef[] };
  readonly 'media-config': RequestPayload;
  readonly media: MediaPayload;
  readonly download: DownloadPayload;
}

export type KindWith<Column extends keyof Kind, Value extends Kind[Column]> = {
  [K in NodeKind]: (typeof KINDS)[K][Column] extends Value ? K : never;
}[NodeKind];

export type ObjectKind = KindWith<'stored', 'object'>;

/** Kinds that the service can delete. */
export type DeletedKind = KindWith<'deleted', 'by its id'>;

/** Kinds of objects that have a key in the manifest. */
export type KeyedKind = KindWith<'creates', 'object'>;

/** An object whose create may be unknown; `on_unknown` decides what follows. */
export type UnknownObjectKind = ObjectKind & KindWith<'interrupted', 'unknown'>;

export function kindOf(address: Address): NodeKind | undefined {
  const kind = address.slice(0, Math.max(0, address.indexOf('/')));
  return Object.hasOwn(KINDS, kind) ? (kind as NodeKind) : undefined;
}

export function storedAs(address: Address): Kind['stored'] | undefined {
  const kind = kindOf(address);
  return kind && KINDS[kind].stored;
}

/** An address without its take, because only one take at a time is shown. */
export function shortAddress(address: string): string {
  return storedAs(address) === 'request' ? address : splitTake(address).address;
}

/** Whether an object is known by a key, which may change, and not by its content. */
export function hasKey(address: Address): boolean {
  const kind = kindOf(address);
  return kind !== undefined && KINDS[kind].creates === 'object';
}

export function objectAddress(kind: KeyedKind, key: string): Address {
  return `${kind}/${key}`;
}

interface OfKind {
  readonly kind: NodeKind;
  readonly action?: string;
}

/**
 * Narrows the type of a node to the kinds that have this value in this column. A deletion has nothing of its kind but the
 * name: for it the answer is no.
 */
export function kindHas<Node extends OfKind, Column extends keyof Kind, Value extends Kind[Column]>(
  node: Node,
  column: Column,
  value: Value,
): node is Extract<Node, { readonly kind: KindWith<Column, Value> }> {
  const kind: Kind = KINDS[node.kind];
  return node.action !== 'delete' && kind[column] === value;
}

/** Whether sending this node twice would make two objects. */
export function isCreate(node: OfKind & { readonly action: string }): boolean {
  return KINDS[node.kind].interrupted === 'unknown' && node.action !== 'update' && node.action !== 'delete';
}

/** Whether nodes of this kind give the service new work; polls and downloads only read. */
export function isSubmitting(kind: NodeKind): boolean {
  return KINDS[kind].creates !== 'nothing';
}

const ORDER = Object.keys(KINDS) as NodeKind[];

/** All kinds but these. */
export function otherKinds(kinds: readonly NodeKind[]): NodeKind[] {
  return ORDER.filter((kind) => !kinds.includes(kind));
}

export function retriedKinds(
  onUnknown: Readonly<Partial<Record<NodeKind, 'hold' | 'retry'>>> | undefined,
): UnknownObjectKind[] {
  return ORDER.flatMap((kind) => (onUnknown?.[kind] === 'retry' ? [kind as UnknownObjectKind] : []));
}

export function orderOf(kind: NodeKind): number {
  return ORDER.indexOf(kind);
}
