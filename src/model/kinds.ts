/**
 * What there is to know of each kind of node, one record a kind, dependencies first. Everything but a kind's own step, graph
 * file and wire functions asks this table, and names no kind.
 */
interface Kind {
  /**
   * What the state keeps of a node: an object with an address of its own, a request with the items that it asked for, the
   * take of an item, which its request brings with it, or the files of a take.
   */
  readonly stored: 'object' | 'request' | 'take' | 'files';
  /** What its address ends in. An object that goes by its content cannot be renamed, and is made only where another needs it. */
  readonly address: 'content' | 'key' | 'number' | 'item';
  /** What it makes at the service; what makes nothing only takes in what the service has done. */
  readonly creates: 'link' | 'object' | 'posts' | 'nothing';
  /**
   * What a create means that has begun and whose end nobody recorded. `repeat`: nothing; it may be sent again, as a second
   * one does no harm. `unknown`: a second one would make (and cost) another, so it is written down before it is sent, and
   * without an end a person decides.
   */
  readonly interrupted: 'repeat' | 'unknown';
  /** What an update sends: the fields that changed, or all of them. */
  readonly update: 'changes' | 'whole' | 'none';
  /** How it counts in plans and summaries: as itself, as the post whose files it fetches, or not at all. */
  readonly counted: 'itself' | 'as its post' | 'never';
  /** What it needs of the disk of this machine. */
  readonly localFiles: 'reads' | 'writes' | 'none';
  /** What holds it back besides the number of requests in flight: `limits.media_in_flight`, or the rate of repeated polls. */
  readonly limit: 'media in flight' | 'polls' | 'none';
  /** How the log names the success of what may be repeated. */
  readonly doneEvent: 'uploaded' | 'updated' | 'generated' | 'downloaded';
  /** What is said of a node while it is under way, and when it is done. */
  readonly words: { readonly working: string; readonly done: string };
}

export const KINDS = {
  upload: {
    stored: 'object',
    address: 'content',
    creates: 'link',
    interrupted: 'repeat',
    update: 'none',
    counted: 'itself',
    localFiles: 'reads',
    limit: 'none',
    doneEvent: 'uploaded',
    words: { working: 'uploading', done: 'uploaded' },
  },
  product: {
    stored: 'object',
    address: 'key',
    creates: 'object',
    interrupted: 'unknown',
    update: 'changes',
    counted: 'itself',
    localFiles: 'none',
    limit: 'none',
    doneEvent: 'updated',
    words: { working: 'creating', done: 'created' },
  },
  concept: {
    stored: 'object',
    address: 'key',
    creates: 'object',
    interrupted: 'unknown',
    update: 'whole',
    counted: 'itself',
    localFiles: 'none',
    limit: 'none',
    doneEvent: 'updated',
    words: { working: 'creating', done: 'created' },
  },
  'media-config': {
    stored: 'request',
    address: 'number',
    creates: 'posts',
    interrupted: 'unknown',
    update: 'none',
    counted: 'never',
    localFiles: 'none',
    limit: 'media in flight',
    doneEvent: 'updated',
    words: { working: 'requesting', done: 'requested' },
  },
  media: {
    stored: 'take',
    address: 'item',
    creates: 'nothing',
    interrupted: 'repeat',
    update: 'none',
    counted: 'itself',
    localFiles: 'none',
    limit: 'polls',
    doneEvent: 'generated',
    words: { working: 'generating', done: 'generated' },
  },
  download: {
    stored: 'files',
    address: 'item',
    creates: 'nothing',
    interrupted: 'repeat',
    update: 'none',
    counted: 'as its post',
    localFiles: 'writes',
    limit: 'none',
    doneEvent: 'downloaded',
    words: { working: 'downloading', done: 'downloaded' },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type NodeKind = keyof typeof KINDS;

/** The kinds that have this value in this column. */
export type KindWith<Column extends keyof Kind, Value extends Kind[Column]> = {
  [K in NodeKind]: (typeof KINDS)[K][Column] extends Value ? K : never;
}[NodeKind];

/** The kinds whose nodes are uploads, products, concepts: objects with an address of their own. */
export type ObjectKind = KindWith<'stored', 'object'>;

interface OfKind {
  readonly kind: NodeKind;
}

/** Whether the kind of a node has this value in this column; narrows the node to those kinds. */
export function kindHas<Node extends OfKind, Column extends keyof Kind, Value extends Kind[Column]>(
  node: Node,
  column: Column,
  value: Value,
): node is Extract<Node, { readonly kind: KindWith<Column, Value> }> {
  const kind: Kind = KINDS[node.kind];
  return kind[column] === value;
}

/** Whether sending this node twice would make two objects: it needs an intent, and its outcome can be unknown. */
export function isCreate(node: OfKind & { readonly action: string }): boolean {
  return KINDS[node.kind].interrupted === 'unknown' && node.action !== 'update';
}

/** Whether nodes of this kind bring the service new work; polls and downloads only take in what it has done. */
export function isSubmitting(kind: NodeKind): boolean {
  return KINDS[kind].creates !== 'nothing';
}

/** An object whose create may be unknown: `on_unknown` says what becomes of it. */
export type UnknownObjectKind = ObjectKind & KindWith<'interrupted', 'unknown'>;

const ORDER = Object.keys(KINDS) as NodeKind[];

/** The kinds of which a setting lets an unknown create be sent again. */
export function retriedKinds(
  onUnknown: Readonly<Partial<Record<NodeKind, 'hold' | 'retry'>>> | undefined,
): UnknownObjectKind[] {
  return ORDER.flatMap((kind) => (onUnknown?.[kind] === 'retry' ? [kind as UnknownObjectKind] : []));
}

/** The place of a kind among all: dependencies come first. */
export function orderOf(kind: NodeKind): number {
  return ORDER.indexOf(kind);
}
