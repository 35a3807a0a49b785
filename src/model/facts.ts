/** What one attempt of a node found out: plain data. What that leads to stands in engine/outcome-table.ts alone. */
import type { Json } from '../util/json.ts';
import type { PlannedNode } from './plan.ts';
import type { Problem } from './problem.ts';
import type { Learned, NodeResult, RequestResult } from './result.ts';

export type FailureKind =
  /** No connection, or no token: the service did not see the request. */
  | 'not-sent'
  /** The request was sent, and no status came back. */
  | 'no-answer'
  /** A 2xx that cannot be read, or that gives out what another node has already. */
  | 'unusable'
  | 'throttled'
  /** A 4xx that proves that nothing was done. */
  | 'refused'
  /** Any other 3xx or 4xx. */
  | 'unproven'
  /** A 408 or 425, which may be over at the next attempt; `passing-refusal`: it proves that nothing was done. */
  | 'passing'
  | 'passing-refusal'
  | 'server-error'
  /** A 5xx that proves that nothing was done (`service.nothing_done`). */
  | 'not-done'
  /** The key is refused, or there is no safe way to the service: a person must mend it. */
  | 'unauthorized'
  | 'misconfigured'
  /** Ended by our own signal before it was sent. */
  | 'aborted'
  | 'local-file'
  /** What came, or what lies here, is not what is needed, and another attempt of this run would give the same. */
  | 'no-result'
  /** What came may be another one at the next attempt: a file to fetch once more, a link that has expired. */
  | 'doubtful'
  | 'generation-failed'
  /** The service answered for the post before, and it is not there any more. */
  | 'gone'
  /** The answer decides nothing about the post: another run asks again. */
  | 'unclear';

export type Pending =
  | 'pending'
  /** The service says 404 for what it never showed: it may still come. */
  | 'absent'
  /** The service says 404 for what it had: no proof that it is gone, and no sign that the service is well. */
  | 'denied'
  /** No request was sent: another post is finding out the path right now. */
  | 'busy';

export type Came = 'result' | FailureKind | Pending | 'as-it-was';

interface Found {
  /**
   * Whether the request that makes something (or updates, or asks for it) has left: `maybe` where no answer came. A create
   * whose facts say `no` was not sent, whatever came of a request before it.
   */
  readonly sent: 'no' | 'maybe' | 'yes';
  readonly learned?: Learned;
  /** For the next attempt of this node; without it, what the last one left stays. */
  readonly memo?: Json;
}

export type Done = Found & {
  readonly came: 'result';
  readonly result: NodeResult;
  /** Nodes for items that the service made beyond those sent. */
  readonly adds?: readonly PlannedNode[];
};

export type Failed = Found & {
  readonly came: FailureKind;
  readonly problem: Problem;
  /** Milliseconds that the service asks to wait before the next attempt. */
  readonly waitMs?: number;
  /** There was no token. `due`: the service was asked for one, and will have one in a moment. */
  readonly noToken?: 'due' | 'unreached';
  /** The service was too slow or said 503: it may bear fewer requests at once. */
  readonly load?: 'overloaded';
  readonly request?: string;
  /** How an answer begins that cannot be used: a person may recognise in it what was made. */
  readonly quote?: string;
};

export type NotFinished = Found & {
  readonly came: Pending;
  readonly waitMs: number;
  readonly problem?: Problem;
  /** With the first answer for a post. */
  readonly seen?: true;
  readonly listed?: RequestResult;
  /** Nodes for those of them that the service made beyond those sent. */
  readonly adds?: readonly PlannedNode[];
};

/** `as-it-was`: so a recheck found the post. */
export type Facts = Done | Failed | NotFinished | (Found & { readonly came: 'as-it-was' });
