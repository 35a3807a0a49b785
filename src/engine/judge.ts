import type { Facts, Failed } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { fullJitter } from '../util/backoff.ts';
import { attemptsOf, type Column, rowOf, putOffEnd, type Row } from './outcome-table.ts';

const LONGEST_WAIT_MS = 300_000;
/** The wait after a 429 that does not say when to come again. */
const THROTTLED_MS = 1000;

/** While everything waits for a token, it is asked for often enough that a hiccup of seconds costs seconds. */
const TOKEN_WAIT_MS = 2_000;

/** What an attempt means for its node. `log`: the event, as the table names it. */
export type Verdict = Pick<Row, 'log'> &
  (
    | ({ readonly next: 'end' } & Pick<Row, 'end' | 'stops'>)
    | { readonly next: 'wait'; readonly why: 'poll' | 'retry' | 'throttled'; readonly ms: number }
  );

export interface Judged {
  readonly facts: Facts;
  readonly verdict: Verdict;
  readonly problem: Problem | undefined;
}

interface JudgeOptions {
  readonly column: Column;
  readonly facts: Facts;
  /** 1 for the first one in this run. */
  readonly attempt: number;
  readonly isPaid: boolean;
  /** Only a token is missing, and the service had been reached: nothing is put off until it counts as unavailable. */
  readonly isTokenDue?: boolean;
  readonly random: () => number;
}

/** Reads an answer in the table. If it says to try again, this says when, or that it was tried often enough. */
export function judge({ column, facts, attempt, isPaid, isTokenDue = false, random }: JudgeOptions): Verdict {
  const row = rowOf(column, facts.came);
  const waitMs = waitOf(facts);
  const isLast = attempt >= attemptsOf(column);
  switch (row.next) {
    case 'end':
      return { ...row, next: 'end' };
    case 'poll':
      return { next: 'wait', log: row.log, why: 'poll', ms: waitMs };
    case 'slow-down': {
      if (isLast || waitMs > LONGEST_WAIT_MS) return putOff(column, row);
      const jitter = fullJitter({ attempt, baseMs: 1000, capMs: 20_000, random });
      return { next: 'wait', log: row.log, why: 'throttled', ms: waitMs + jitter };
    }
    case 'again': {
      if (waitMs > LONGEST_WAIT_MS) return putOff(column, row);
      if (isLast && !isTokenDue) return { next: 'end', log: row.log, end: row.end };
      if (!isPaid && !isTokenDue && column !== 'poll') return putOff(column, row);
      const capMs = isTokenDue ? TOKEN_WAIT_MS : 20_000;
      const backoff = fullJitter({ attempt, baseMs: 200, capMs, random });
      const log = isCreate(column) ? row.log : 'none';
      return { next: 'wait', log, why: 'retry', ms: Math.max(waitMs, backoff) };
    }
  }
}

export function heldMs(facts: Facts): number {
  return facts.came === 'throttled' ? waitOf(facts) : 0;
}

/** An exhausted quota: the service wants no requests of this kind for longer than a run waits. */
export function isQuota(facts: Facts): facts is Failed {
  return heldMs(facts) > LONGEST_WAIT_MS;
}

function waitOf(facts: Facts): number {
  return ('waitMs' in facts ? facts.waitMs : undefined) ?? (facts.came === 'throttled' ? THROTTLED_MS : 0);
}

function putOff(column: Column, { log }: Row): Verdict {
  return { next: 'end', log: isCreate(column) ? log : 'none', end: putOffEnd(column) };
}

/** The log has an end for each attempt of a create; for other nodes only the end of the node. */
function isCreate(column: Column): boolean {
  return column === 'create' || column === 'unsent create';
}

export function problemOf(facts: Facts, end?: NodeEnd): Problem | undefined {
  if (!('problem' in facts)) return undefined;
  const { problem } = facts;
  return end === 'unknown' && problem && 'quote' in facts && facts.quote !== undefined
    ? { ...problem, detail: `${problem.detail ?? problem.summary}. The answer: ${facts.quote}` }
    : problem;
}
