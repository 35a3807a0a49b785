/**
 * What happens during a run. Every renderer is fed from this one union, and `--json` prints it as it is
 * (schemas/event.schema.json).
 */
import type { Address } from './address.ts';
import type { RunOutcome } from './exit.ts';
import type { NodeCounts } from './generated/state-record.js';
import type { NodeKind } from './kinds.ts';
import type { Action } from './plan.ts';
import type { Problem } from './problem.ts';

/** How a node ended in this run. `unchanged`: nothing had to be done, or a recheck found the post as it was. */
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
      /** Uploads, products, concepts and posts with work in this run, those requested by earlier runs included. */
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
      readonly files?: readonly string[];
      readonly unverified?: readonly UnverifiedFile[];
      /** Where the manifest asks for a node that has a problem. */
      readonly file?: string;
      readonly line?: number;
      readonly column?: number;
    }
  | {
      /** After a signal: what the run still waits for; at the end of that wait, what it leaves without an answer. */
      readonly type: 'run-stopping';
      /** Requests under way that the run waits for. */
      readonly awaited: number;
      /** How many of the requests under way create something: without an answer they are unknown. */
      readonly creates: number;
      /** The longest wait in milliseconds; 0: the run does not wait any longer. */
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
