/**
 * What happens during a run, for people and machines: every renderer is fed from this one union, and `--json`
 * writes it out as it stands (schemas/event.schema.json).
 */
import type { Address } from './address.ts';
import type { RunOutcome } from './exit.ts';
import type { NodeCounts } from './generated/state-record.js';
import type { NodeKind } from './kinds.ts';
import type { Action } from './plan.ts';
import type { Problem } from './problem.ts';

/** How a node ended in this run. `unchanged`: nothing had to be done after all, or what was looked for is as it was. */
export type NodeEnd =
  | 'done'
  | 'failed'
  | 'rejected'
  | 'lost'
  | 'unknown'
  | 'put-off'
  | 'pending'
  | 'blocked'
  | 'unchanged';

/** A downloaded file, and why it may not be whole. */
export interface UnverifiedFile {
  readonly path: string;
  readonly why: string;
}

/** Counts of uploads, products, concepts and posts; files only as `downloaded`. Each node is counted once. */
export type { NodeCounts } from './generated/state-record.js';

export type RunEvent =
  | { readonly type: 'version'; readonly campaign: string; readonly format_version: '1.0' }
  | {
      readonly type: 'run-started';
      readonly command: string;
      readonly campaign: string;
      readonly environment: string;
      readonly host: string;
      readonly state: string;
      /** Nodes that the state knew before this run. */
      readonly known: number;
    }
  | {
      readonly type: 'planned';
      readonly create: number;
      readonly update: number;
      readonly replace: number;
      readonly delete: number;
      readonly move: number;
      readonly unchanged: number;
      readonly new_posts: number;
      /** Uploads, products, concepts and posts with work in this run, those of earlier requests included. */
      readonly work: number;
    }
  | {
      readonly type: 'node-started';
      readonly address: Address;
      readonly kind: NodeKind;
      readonly attempt: number;
    }
  | {
      readonly type: 'node-waiting';
      readonly address: Address;
      readonly kind: NodeKind;
      readonly why: 'poll' | 'retry' | 'throttled';
      /** Milliseconds from now until the next attempt. */
      readonly ms: number;
      readonly problem?: Problem;
    }
  | {
      readonly type: 'node-finished';
      readonly address: Address;
      readonly kind: NodeKind;
      readonly action: Action;
      readonly end: NodeEnd;
      /** Milliseconds of running time, waits included. */
      readonly ms: number;
      readonly problem?: Problem;
      /** Paths that a finished download wrote. */
      readonly files?: readonly string[];
      /** Those of them that nobody can say to be whole. */
      readonly unverified?: readonly UnverifiedFile[];
      /** Where the manifest asks for a node that has a problem. */
      readonly file?: string;
      readonly line?: number;
      readonly column?: number;
    }
  | {
      /** After a signal: what the run still waits for, and at the end of that what it leaves without an answer. */
      readonly type: 'run-stopping';
      /** Requests under way that are waited for. */
      readonly awaited: number;
      /** How many of the requests under way create something: without an answer they are unknown. */
      readonly creates: number;
      /** Milliseconds that the wait takes at most; 0: nothing more is waited for. */
      readonly ms: number;
    }
  | { readonly type: 'node-moved'; readonly from: Address; readonly to: Address }
  | { readonly type: 'warning'; readonly summary: string; readonly detail?: string }
  | {
      readonly type: 'run-finished';
      readonly outcome: RunOutcome;
      readonly exit_code: number;
      readonly nodes: NodeCounts;
    };
