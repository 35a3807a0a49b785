/**
 * A plan is data: what a run will do, each node with one action and the reasons for it. It is made by plan/ from the
 * graph and the state, printed by render/, and carried out by engine/.
 */
import type { JsonObject } from '../util/json.ts';
import type { Address } from './address.ts';
import type { KINDS, KindWith, NodeKind } from './kinds.ts';
import type { Payloads } from './payload.ts';
import type { Problem } from './problem.ts';
import type { SourceRef } from './source.ts';
import type { Evidence } from './state-event.ts';

/** `resume`: polls and downloads that belong to requests of earlier runs. */
export type Action = 'create' | 'update' | 'replace' | 'delete' | 'move' | 'resume' | 'blocked';

/** One cause of an action; `because` leads on to what caused that, nearest first. */
export interface Reason {
  /** What is said when there is no single field: "new", "retried after a failure", … */
  readonly summary: string;
  readonly field?: string;
  readonly from?: JsonObject[string];
  readonly to?: JsonObject[string];
  readonly source?: SourceRef;
  /** The node upstream whose change is passed on. */
  readonly address?: Address;
  readonly because?: readonly Reason[];
}

interface PlannedBase {
  /** Media and downloads carry their take: `media/hero/1@2`. */
  readonly address: Address;
  readonly action: Action;
  readonly reasons: readonly Reason[];
  /** All it builds on, planned or not: results come from the state, readiness from those planned. */
  readonly dependsOn: readonly Address[];
  /** Nodes of this plan that have to end before it starts, however they end: it needs no result of theirs. */
  readonly after?: readonly Address[];
  readonly source?: SourceRef;
}

/** What a node has besides, by what the state keeps of it. */
interface Details {
  readonly object: {
    readonly inputs: JsonObject;
    readonly fingerprint: string;
    /** Id of the existing object, on update. */
    readonly id?: string;
    /** Fields that an update sends where it sends no others; without them it sends all. */
    readonly changed?: readonly string[];
  };
  readonly request: {
    /** Its post is indivisible: all items are requested, or none. */
    readonly whole?: true;
  };
  readonly take: {
    /** What is asked for; absent where the service made it unasked. */
    readonly inputs?: JsonObject;
    /** True once the service has answered for it: from then on a 404 means lost. */
    readonly seen: boolean;
    readonly again?: LookAgain;
  };
  readonly files: unknown;
}

export type PlannedNode = {
  [Kind in NodeKind]: PlannedBase & {
    readonly kind: Kind;
    readonly payload: Payloads[Kind];
  } & Details[(typeof KINDS)[Kind]['stored']];
}[NodeKind];

/** A planned node of those kinds of which the state keeps this. */
export type PlannedAs<Stored extends keyof Details> = Extract<
  PlannedNode,
  { readonly kind: KindWith<'stored', Stored> }
>;

/** A post that an earlier run found failed or gone is looked for once more: it was paid, and may be there after all. */
export interface LookAgain {
  /** How it was found. */
  readonly was: 'failed' | 'lost';
  /** `paying`: this plan requests the post again unless it is there, so the answer has to be certain. */
  readonly before: 'nothing' | 'paying';
}

export interface Move {
  readonly from: Address;
  readonly to: Address;
}

/** A file that changes its place on disk because its post was renamed or the template changed. */
export interface FileMove {
  /** Download take whose files they are. */
  readonly address: Address;
  readonly from: string;
  readonly to: string;
}

/** A node that needs no work and yet keeps the campaign from being finished, or a decision that stands. */
export interface Noted {
  readonly address: Address;
  readonly source?: SourceRef;
  readonly problem?: Problem;
  readonly evidence?: Evidence;
  /** How many uploads, products, concepts or posts it stands for. */
  readonly counts: number;
  /** The node of this plan that looks for it once more. */
  readonly look?: Address;
}

export interface Plan {
  /** In an order in which dependencies come first. */
  readonly nodes: readonly PlannedNode[];
  readonly moves: readonly Move[];
  readonly fileMoves: readonly FileMove[];
  /** Uploads, products, concepts and posts that are as they should be. */
  readonly unchanged: number;
  /** Posts that this plan requests: what will be paid. */
  readonly newPosts: number;
  /** Generations that failed and are not requested again by themselves. */
  readonly failed: readonly Noted[];
  /** Creates whose outcome is unknown: `campaign resolve` decides. */
  readonly unknown: readonly Noted[];
  /** Finished posts whose inputs changed and which this plan leaves as they are. */
  readonly held: readonly PlannedReplacement[];
  /** What the state knows and the manifest no longer names. */
  readonly leftAlone: readonly Address[];
  /** Uploads, products, concepts and posts that `--only` and `--exclude` leave out. */
  readonly notSelected: number;
}

export interface PlannedReplacement {
  readonly address: Address;
  readonly reasons: readonly Reason[];
  readonly source?: SourceRef;
}
