import { describe, expect, it } from 'vitest';
import { heldMs, isQuota, judge, problemOf } from '../../src/engine/judge.ts';
import type { Column } from '../../src/engine/outcome-table.ts';
import type { Facts } from '../../src/model/facts.ts';
import { failed, pending, PROBLEM, throttled } from '../support/facts.ts';

function judged(column: Column, facts: Facts, options: Partial<Parameters<typeof judge>[0]> = {}) {
  return judge({ column, facts, attempt: 1, random: () => 0.5, isPaid: true, ...options });
}

const refuses = { isPaid: false };
const wait = (why: string, ms: number, log = 'none') => ({ next: 'wait', log, why, ms });
const end = (state: string, log = 'none') => ({ next: 'end', log, end: state });

describe('judge', () => {
  it('lets a create try three times, then puts it off', () => {
    const cases = [
      { facts: failed('not-sent'), log: 'not-sent', why: 'retry', ms: 200 },
      { facts: throttled(0), log: 'throttled', why: 'throttled', ms: 1000 },
    ];
    for (const { facts, log, why, ms } of cases) {
      expect(judged('create', facts, { attempt: 2 })).toEqual(wait(why, ms, log));
      expect(judged('unsent create', facts, { attempt: 3 })).toMatchObject(end('put-off', log));
    }
  });

  it('lets what may be repeated try six times, then fails it, or puts it off where nothing was sent', () => {
    expect(judged('repeatable', failed('no-answer'), { attempt: 5 })).toEqual(wait('retry', 1600));
    expect(judged('repeatable', failed('no-answer'), { attempt: 6 })).toEqual(end('failed', 'failed'));
    expect(judged('repeatable', failed('not-sent'), { attempt: 6 })).toEqual(end('put-off'));
    expect(judged('repeatable', throttled(1), { attempt: 6 })).toEqual(end('put-off'));
  });

  it('puts nothing off for want of a token that the service is about to give', () => {
    for (const column of ['unsent create', 'repeatable', 'recheck'] as const)
      expect(judged(column, failed('not-sent'), { attempt: 30, isTokenDue: true, ...refuses })).toMatchObject(
        {
          next: 'wait',
          ms: 1000,
        },
      );
  });

  it('never fails or puts off a poll', () => {
    for (const facts of [failed('server-error'), throttled(0), pending(5)]) {
      expect(judged('poll', facts, { attempt: 100, ...refuses })).toMatchObject({ next: 'wait' });
    }
  });

  it('repeats a look for a post that had failed as anything else, and never fails it: the next run looks again', () => {
    expect(judged('recheck', failed('no-answer'), { attempt: 5 }).next).toBe('wait');
    for (const facts of [failed('no-answer'), throttled(0)])
      expect(judged('recheck', facts, { attempt: 6 })).toEqual(end('put-off'));
    expect(judged('recheck', failed('no-answer'), refuses)).toEqual(end('put-off'));
    expect(judged('recheck', pending(7), { attempt: 100 })).toEqual(wait('poll', 7));
  });

  it('asks the budget for retries only, and puts off what it refuses', () => {
    expect(judged('repeatable', throttled(1), refuses).next).toBe('wait');
    expect(judged('repeatable', failed('no-answer'), refuses)).toEqual(end('put-off'));
    expect(judged('create', failed('not-done'), refuses)).toEqual(end('put-off', 'not-sent'));
  });

  it('waits for as long as the service asks, and at least for a random part of a backoff that grows', () => {
    const ms = (facts: Facts, attempt: number, random = 0.5) => {
      const verdict = judged('poll', facts, { attempt, random: () => random });
      return verdict.next === 'wait' ? verdict.ms : undefined;
    };
    const failure = failed('server-error');
    expect([1, 2, 4, 20].map((attempt) => ms(failure, attempt))).toEqual([100, 200, 800, 10_000]);
    expect([ms(failure, 1, 0), ms(failure, 1, 1)]).toEqual([0, 200]);
    expect(ms(failed('server-error', { waitMs: 5 }), 1)).toBe(100);
    expect(ms(failed('server-error', { waitMs: 5000 }), 1)).toBe(5000);
    expect(ms(throttled(60_000), 3)).toBe(62_000);
    expect(ms(throttled(0), 1)).toBe(500);
    expect(ms(failed('throttled'), 1)).toBe(1500);
  });

  it('puts off whatever the service wants left alone for more than five minutes; a 429 that says so is a quota', () => {
    const waitMs = 300_001;
    for (const column of ['create', 'repeatable', 'recheck'] as const) {
      for (const came of ['throttled', 'not-sent'] as const)
        expect(judged(column, failed(came, { waitMs }))).toMatchObject({ next: 'end', end: 'put-off' });
    }
    expect(judged('poll', throttled(waitMs))).toEqual(end('pending'));
    expect(judged('poll', failed('server-error', { waitMs }))).toEqual(end('pending'));
    expect([throttled(waitMs), throttled(waitMs - 1), failed('no-answer', { waitMs })].map(isQuota)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('lets a poll wait for as long as the service estimates', () => {
    expect(judged('poll', pending(1_000_000))).toEqual(wait('poll', 1_000_000));
  });

  it('says what ends the run', () => {
    expect(judged('create', failed('unauthorized'))).toMatchObject({
      ...end('put-off', 'not-sent'),
      stops: 'unauthorized',
    });
  });
});

it('a kind is held back for as long as a 429 asks, a second where it does not say', () => {
  const facts = [throttled(7), failed('throttled'), failed('server-error', { waitMs: 9 }), pending(5)];
  expect(facts.map(heldMs)).toEqual([7, 1000, 0, 0]);
});

it('an unknown create shows how its answer began', () => {
  const facts = failed('unusable', { problem: { ...PROBLEM, detail: 'No id' }, quote: '{"id":1}' });
  expect(problemOf(facts, 'unknown')).toEqual({ ...PROBLEM, detail: 'No id. The answer: {"id":1}' });
  expect(problemOf({ ...facts, problem: PROBLEM }, 'unknown')?.detail).toBe('no. The answer: {"id":1}');
  expect(problemOf(facts, 'failed')).toEqual({ ...PROBLEM, detail: 'No id' });
  expect(problemOf(failed('no-answer'), 'unknown')).toBe(PROBLEM);
  expect(problemOf({ came: 'as-it-was', sent: 'yes' })).toBeUndefined();
});
