/**
 * From answer to exit code, in one table: a column for what a node's request does, a row for what came of it. The table in
 * docs/service.md and the matrix of the tests are checked against it.
 */
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Came } from '../model/facts.ts';
import type { NodeEnd } from '../model/run-event.ts';

/**
 * - create: sending it twice would make two objects (products, concepts, requests of posts)
 * - unsent create: the create was not sent, as the token or something that it needs could not be had
 * - repeatable: uploads, updates, downloads
 * - poll: asks for a post that is being generated; it was paid for, so no answer but its own ends it
 * - recheck: asks once more for a post that had failed or was gone. How it ends adds nothing to the exit code but for a post
 *   that is there after all: the plan has counted the post already.
 */
export type Column = 'create' | 'unsent create' | 'repeatable' | 'poll' | 'recheck';

export interface Row {
  /** The event in the log: for a create of every attempt, else of the end that stands here. `done`: the kind's own one. */
  readonly log:
    | 'created'
    | 'unknown'
    | 'rejected'
    | 'not-sent'
    | 'throttled'
    | 'done'
    | 'failed'
    | 'generation-failed'
    | 'lost'
    | 'none';
  /**
   * - end: at once
   * - again: after a backoff, a few times (attemptsOf), if the retry budget pays where the service `fails`
   * - slow-down: as `again`, and all of its kind waits for as long as was asked
   * - poll: when the step says, without limit
   */
  readonly next: 'end' | 'again' | 'slow-down' | 'poll';
  /** How the node ends: at once, or after its last attempt. One that is put off before that ends as `putOffEnd` says. */
  readonly end: NodeEnd;
  /** What it says about the service: limits, breaker and retry budget go by that. */
  readonly says: 'well' | 'answers' | 'throttled' | 'denies' | 'fails' | 'unreached' | 'nothing';
  /** The run starts nothing any more, for this reason. */
  readonly stops?: 'unauthorized' | 'misconfigured';
  /** Where it is another one than that of the end, or of what stops the run. */
  readonly exit?: ExitCode;
}

type Rows = Readonly<Partial<Record<Came, Row>>>;

/** What kept a request from an answer, or may be over at the next attempt: it is tried again. */
function retried(row: Row): Rows {
  return {
    'not-sent': { ...row, says: 'unreached' },
    'no-answer': row,
    unusable: row,
    passing: { ...row, says: 'answers' },
    'passing-refusal': { ...row, says: 'answers' },
    'server-error': row,
    'not-done': row,
  };
}

/** What nothing more can come of in this run. */
function left(row: Row): Rows {
  return {
    throttled: { ...row, next: 'slow-down', says: 'throttled' },
    unauthorized: { ...row, stops: 'unauthorized' },
    misconfigured: { ...row, stops: 'misconfigured' },
    aborted: row,
  };
}

const UNKNOWN = { log: 'unknown', next: 'end', end: 'unknown', says: 'fails' } as const;
const REJECTED = { log: 'rejected', next: 'end', end: 'rejected', says: 'nothing' } as const;
const SEND_AGAIN = { log: 'not-sent', next: 'again', end: 'put-off', says: 'fails' } as const;

const CREATE: Rows = {
  ...left({ log: 'not-sent', next: 'end', end: 'put-off', says: 'nothing' }),
  result: { log: 'created', next: 'end', end: 'done', says: 'well' },
  'not-sent': { ...SEND_AGAIN, says: 'unreached' },
  'no-answer': UNKNOWN,
  unusable: UNKNOWN,
  throttled: { log: 'throttled', next: 'slow-down', end: 'put-off', says: 'throttled' },
  refused: REJECTED,
  unproven: UNKNOWN,
  passing: UNKNOWN,
  'passing-refusal': REJECTED,
  'server-error': UNKNOWN,
  'not-done': SEND_AGAIN,
};

const UNSENT_CREATE: Rows = { ...CREATE, ...retried(SEND_AGAIN), unproven: REJECTED };

const DONE = { log: 'done', next: 'end', end: 'done', says: 'well' } as const;
const FAILED = { log: 'failed', next: 'end', end: 'failed', says: 'nothing' } as const;
const TRY_AGAIN = { log: 'failed', next: 'again', end: 'failed', says: 'fails' } as const;
const PUT_OFF = { log: 'none', next: 'end', end: 'put-off', says: 'nothing' } as const;
const POLL = { log: 'none', next: 'poll', end: 'pending', says: 'well' } as const;

const REPEATABLE: Rows = {
  ...retried(TRY_AGAIN),
  ...left(PUT_OFF),
  unclear: PUT_OFF,
  result: DONE,
  'not-sent': { log: 'none', next: 'again', end: 'put-off', says: 'unreached' },
  refused: FAILED,
  unproven: FAILED,
  'local-file': { ...FAILED, exit: EXIT.cannotWrite },
  'no-result': FAILED,
  doubtful: { ...TRY_AGAIN, says: 'answers' },
  // A download asks for its post where it needs fresh links.
  pending: POLL,
  busy: { ...POLL, says: 'nothing' },
};

const RECHECK: Rows = {
  ...retried({ log: 'none', next: 'again', end: 'put-off', says: 'fails' }),
  ...left(PUT_OFF),
  unclear: PUT_OFF,
  result: DONE,
  pending: POLL,
  busy: { ...POLL, says: 'nothing' },
  refused: PUT_OFF,
  unproven: PUT_OFF,
  'as-it-was': { log: 'none', next: 'end', end: 'unchanged', says: 'nothing' },
  'generation-failed': { log: 'generation-failed', next: 'end', end: 'failed', says: 'well' },
};

const LEFT_PENDING = { log: 'none', next: 'end', end: 'pending', says: 'nothing' } as const;
const KEEP_ASKING = { log: 'none', next: 'again', end: 'pending', says: 'fails' } as const;

const POLLS: Rows = {
  ...retried(KEEP_ASKING),
  ...left(LEFT_PENDING),
  unclear: LEFT_PENDING,
  result: DONE,
  pending: POLL,
  busy: { ...POLL, says: 'nothing' },
  absent: POLL,
  denied: { ...POLL, says: 'denies' },
  refused: { ...KEEP_ASKING, says: 'answers' },
  unproven: { ...KEEP_ASKING, says: 'answers' },
  'generation-failed': { log: 'generation-failed', next: 'end', end: 'failed', says: 'well' },
  gone: { log: 'lost', next: 'end', end: 'lost', says: 'well' },
  'no-result': { log: 'generation-failed', next: 'end', end: 'failed', says: 'nothing' },
};

export const OUTCOMES: Readonly<Record<Column, Rows>> = {
  create: CREATE,
  'unsent create': UNSENT_CREATE,
  repeatable: REPEATABLE,
  poll: POLLS,
  recheck: RECHECK,
};

/** How often a node is tried in one run where the table says `again` or `slow-down`. */
export function attemptsOf(column: Column): number {
  if (column === 'poll') return Number.POSITIVE_INFINITY;
  return column === 'create' || column === 'unsent create' ? 3 : 6;
}

/** The end of a node that another run has to take up: a post that is being generated was paid for, so it is pending. */
export function putOffEnd(column: Column): NodeEnd {
  return column === 'poll' ? 'pending' : 'put-off';
}

export function rowOf(column: Column, came: Came): Row {
  const row = OUTCOMES[column][came];
  if (!row) throw new Error(`nobody has said what "${came}" means for a ${column}`);
  return row;
}

export const EXIT_OF_END: Readonly<Record<NodeEnd, ExitCode>> = {
  done: EXIT.ok,
  unchanged: EXIT.ok,
  failed: EXIT.failed,
  rejected: EXIT.failed,
  lost: EXIT.failed,
  blocked: EXIT.failed,
  unknown: EXIT.undecided,
  'put-off': EXIT.incomplete,
  pending: EXIT.incomplete,
};

/** The exit code that what ended a run before its work was done calls for. A signal may have one of its own. */
export const EXIT_OF_STOP = {
  signal: EXIT.sigint,
  deadline: EXIT.incomplete,
  'fail-fast': EXIT.failed,
  unavailable: EXIT.unavailable,
  unauthorized: EXIT.authentication,
  misconfigured: EXIT.configuration,
  'creates-ended': EXIT.undecided,
  'over-budget': EXIT.needsConsent,
  'cannot-write': EXIT.cannotWrite,
} as const;

/** After `creates-ended` and `over-budget` everything but creates goes on. */
export type StopReason = keyof typeof EXIT_OF_STOP;

/** The exit code of a run in which this came last of one node, and all others are done. */
export function exitOf({ end, exit, stops }: Row): ExitCode {
  return exit ?? (stops ? EXIT_OF_STOP[stops] : EXIT_OF_END[end]);
}
