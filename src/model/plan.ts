import type { JsonObject } from '../util/json.ts';
import { type Address, mediaOf, requestAddress, splitMedia, splitTake } from './address.ts';
import type { DeletedKind, KINDS, KindWith, NodeKind, Payloads } from './kinds.ts';
import type { ItemPayload, OutputFile, RequestPayload } from './payload.ts';
import type { PlanCost } from './plan-cost.ts';
import type { Problem } from './problem.ts';
import type { SourceRef } from './source.ts';
import type { Evidence, LetGo } from './state-event.ts';

/** `resume`: polls and downloads for requests of earlier runs. */
export type Action = 'create' | 'update' | 'replace' | 'delete' | 'move' | 'resume' | 'blocked';

/** One cause of an action; `because` has the causes of that cause, nearest first. */
export interface Reason {
  /** The text where there is no single field: "new", "retried after a failure", … */
  readonly summary: string;
  readonly field?: string;
  readonly from?: JsonObject[string];
  readonly to?: JsonObject[string];
  readonly source?: SourceRef;
  readonly address?: Address;
  readonly because?: readonly Reason[];
  /** The paths of the photos among the values, by their SHA-256, as far as the manifest still names them. */
  readonly photos?: Readonly<Record<string, string>>;
}

interface PlannedBase {
  /** Media and downloads have their take: `media/hero/1@2`. */
  readonly address: Address;
  readonly action: Action;
  readonly reasons: readonly Reason[];
  /** Everything that it depends on, planned or not: it waits for those in the plan, and gets the results of all. */
  readonly dependsOn: readonly Address[];
  /** Nodes of this plan that have to end before it starts, however they end; it needs no result of theirs. */
  readonly after?: readonly Address[];
  readonly source?: SourceRef;
}

interface Details {
  readonly object: {
    readonly inputs: JsonObject;
    readonly fingerprint: string;
    readonly id?: string;
    /** Fields that an update sends; without them it sends all. */
    readonly changed?: readonly string[];
  };
  readonly request: {
    /** Its post is indivisible: all items are requested, or none. */
    readonly whole?: true;
    /** Makes the nodes of its posts, where no earlier take of them is known; else these are in the plan's list. */
    readonly takes?: (() => readonly PlannedNode[]) | undefined;
  };
  readonly take: {
    /** What was asked for; absent for a surplus post. */
    readonly inputs?: JsonObject;
    /** The service has answered for it before: from then on a 404 means that it is lost. */
    readonly seen: boolean;
    readonly again?: Recheck;
  };
  readonly files: unknown;
}

export type PlannedNode =
  | {
      [Kind in NodeKind]: PlannedBase & {
        readonly kind: Kind;
        readonly payload: Payloads[Kind];
      } & Details[(typeof KINDS)[Kind]['stored']];
    }[NodeKind]
  | Deletion;

/** Deletes what the service has under an id. */
export interface Deletion extends PlannedBase {
  readonly action: 'delete';
  readonly kind: DeletedKind;
  readonly payload: {
    readonly id: string;
    /** Takes of posts that go with a request. */
    readonly posts: readonly Address[];
    /** Downloaded files that are removed with it. */
    readonly files?: readonly OutputFile[];
  };
}

export function isDeletion(node: PlannedNode): node is Deletion {
  return node.action === 'delete';
}

interface Placed {
  readonly node: PlannedNode;
  readonly place: number;
}

/**
 * The nodes of a plan, dependencies first. Those of new posts are made from their request each time that somebody goes
 * through them: kept, they were most of what a plan takes (1.3 kB a post).
 */
export class PlannedNodes implements Iterable<PlannedNode> {
  /** Without those that a request brings in (`takes`). */
  readonly listed: readonly PlannedNode[];

  #places: ReadonlyMap<Address, Placed> | undefined;

  constructor(listed: readonly PlannedNode[]) {
    this.listed = listed;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  *[Symbol.iterator](): Iterator<PlannedNode> {
    for (const node of this.listed) {
      yield node;
      if ('takes' in node) yield* node.takes?.() ?? [];
    }
  }

  /** A node and its place, a number that grows through the list; undefined for what came up during a run. */
  placed(address: Address): Placed | undefined {
    this.#places ??= new Map(this.listed.map((node, place) => [node.address, { node, place }]));
    const listed = this.#places.get(address);
    if (listed) return listed;
    const { address: item, take = 0 } = splitTake(mediaOf(address));
    const request = this.#places.get(requestAddress(splitMedia(item).post, take));
    const takes = (request && 'takes' in request.node && request.node.takes?.()) || [];
    const index = takes.findIndex((node) => node.address === address);
    const node = takes[index];
    return request && node && { node, place: request.place + (index + 1) / (takes.length + 1) };
  }

  some(test: (node: PlannedNode) => boolean): boolean {
    return this.find(test) !== undefined;
  }

  find(test: (node: PlannedNode) => boolean): PlannedNode | undefined {
    for (const node of this) if (test(node)) return node;
    return undefined;
  }

  filter<Node extends PlannedNode>(test: (node: PlannedNode) => node is Node): Node[];
  filter(test: (node: PlannedNode) => boolean): PlannedNode[];
  filter(test: (node: PlannedNode) => boolean): PlannedNode[] {
    return this.flatMap((node) => (test(node) ? [node] : []));
  }

  flatMap<Value>(valuesOf: (node: PlannedNode) => readonly Value[]): Value[] {
    const all: Value[] = [];
    for (const node of this) all.push(...valuesOf(node));
    return all;
  }

  /** As they stand in a saved plan. */
  toJSON(): PlannedNode[] {
    return [...this];
  }
}

export type PlannedAs<Stored extends keyof Details> = Extract<
  PlannedNode,
  { readonly kind: KindWith<'stored', Stored> }
>;

/** A post that an earlier run found failed or lost was paid for, and may be there after all. */
export interface Recheck {
  readonly was: 'failed' | 'lost';
  /** `paying`: this plan requests the post again unless it is there, so the recheck needs a certain answer. */
  readonly before: 'nothing' | 'paying';
}

/** A product, a concept, a post, or an older take (`media/hero/1@2`) that becomes the current one. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  /** That of the post at `to`, if it has one. */
  readonly period?: string;
}

export interface FileMove extends Move {
  readonly address: Address;
}

/** A node without work that keeps the campaign from being finished, or about which somebody has decided. */
export interface Noted {
  readonly address: Address;
  readonly source?: SourceRef | undefined;
  readonly problem?: Problem | undefined;
  readonly evidence?: Evidence | undefined;
  /** How many uploads, products, concepts or posts it stands for. */
  readonly counts: number;
  /** The node of this plan that rechecks it. */
  readonly recheck?: Address | undefined;
  /** The service had it, and has it no more. */
  readonly isGone?: boolean;
}

/** A finished post that is left although its inputs changed, or a new one that may be another one. `again`: its whole request. */
export interface EditedPost {
  readonly address: Address;
  readonly reasons: readonly Reason[];
  readonly source?: SourceRef;
  /** It was not edited: the service has it no more, and somebody asked to make it again. */
  readonly isGone?: boolean;
  /** The pictures can be kept and the edit accepted: it was edited, and shows the same products as before. */
  readonly isKeepable?: boolean;
  /** There is no such post: it may be what one of these was, which the manifest no longer names. In the order of addresses. */
  readonly heldBy?: readonly Address[];
  readonly again?: Pick<RequestPayload, 'numberOfPosts'> & {
    readonly items: readonly { readonly payload: Pick<ItemPayload, 'post_type'> }[];
  };
}

/** What a plan says of deletions, where they were asked for. */
export interface Deletions {
  /** What the manifest no longer names and stays all the same. */
  readonly stays: readonly { readonly address: Address; readonly why: string }[];
  /** What could be deleted, and is left. */
  readonly withheld: readonly Deletion[];
  /** Why: nobody has agreed, or a limit is exceeded, which an agreement does not lift. */
  readonly because?: 'unasked' | 'too-many' | 'most-products-gone';
  /** Posts that nobody polls in this run, and that keep something from being deleted. */
  readonly pending?: number;
}

/** What the log is to say: which of what is left alone holds nothing up any more once the run has ended well, and what is named again. */
export type LettingGo = Pick<LetGo, 'addresses' | 'again'>;

/** Somebody approved it, or its post plan says `regenerate: never`. */
export type WhyKept = 'approved' | 'never';

export interface Plan {
  readonly nodes: PlannedNodes;
  readonly moves: readonly Move[];
  readonly fileMoves: readonly FileMove[];
  /** Uploads, products, concepts and posts that need no work. */
  readonly unchanged: number;
  /** How many posts it requests. */
  readonly newPosts: number;
  /** Of them, those that take the place of one that is there, and of these those that somebody rejected. */
  readonly replaced: number;
  readonly rejected: number;
  /** The emulator makes them, so nothing is paid. */
  readonly isFree: boolean;
  readonly cost?: PlanCost;
  /** Posts that are wanted and not requested, because they do not fit the budget; without one there is no cost either. */
  readonly beyondBudget: readonly Address[];
  /** Generations that failed, and what is gone at the service: they are not made again by themselves. */
  readonly failed: readonly Noted[];
  /** Creates whose outcome is unknown: `campaign resolve` decides. */
  readonly unknown: readonly Noted[];
  /** Finished posts whose inputs changed. They await approval: this plan leaves them as they are. */
  readonly held: readonly EditedPost[];
  /** Finished posts whose inputs changed, and that are kept as they are all the same. */
  readonly kept: readonly (EditedPost & { readonly why: WhyKept })[];
  /** Orphaned: the state knows them, and the manifest no longer names them. */
  readonly leftAlone: readonly Address[];
  readonly letGo?: LettingGo;
  readonly deletions?: Deletions;
  readonly notSelected: number;
}
