/** What the fold knows of spending: which requests may have been paid for since when, and which are of an open run. */
import { describe, expect, it } from 'vitest';
import { spendingOf } from '../../src/log/spending.ts';
import { moneyOf } from '../../src/model/money.ts';
import { at, createdRequest, folded, intent, PROBLEM, requested, type Happening } from './fold-events.ts';

const FIRST = 'media-config/hero@1';
const ended = (type: 'rejected' | 'not-sent' | 'throttled'): Happening => ({
  type,
  address: FIRST,
  problem: PROBLEM,
});
const unknown: Happening = { type: 'unknown', address: FIRST, evidence: { summary: 'reset' } };
const resolved = (decision: 'not-created' | 'skipped'): Happening => ({
  type: 'resolved',
  address: FIRST,
  decision,
});
const found: Happening = {
  type: 'resolved',
  address: FIRST,
  decision: 'created',
  result: { id: 'c-1', concept: 'k-1', items: {} },
};
const started = (command: string): Happening => ({
  type: 'run-started',
  command,
  version: '1',
  manifest: 'm.yaml',
  by: 'anna@studio',
});
const NODES = { created: 0, updated: 0, replaced: 0, deleted: 0, moved: 0, unchanged: 0, downloaded: 0 };
const finished: Happening = {
  type: 'run-finished',
  outcome: 'succeeded',
  exit_code: 0,
  nodes: { ...NODES, failed: 0, blocked: 0, unknown: 0, pending: 0 },
};
const FORGOTTEN: Happening = { type: 'forgotten', address: FIRST };

describe('a request counts as spent', () => {
  it.each<[string, readonly Happening[], string | undefined]>([
    ['from its intent on', [requested(1, ['1'])], at(0)],
    ['once it was created', [requested(1, ['1']), createdRequest(1)], at(0)],
    ['where its outcome is unknown', [requested(1, ['1']), unknown], at(0)],
    ['where it was given up', [requested(1, ['1']), unknown, resolved('skipped')], at(0)],
    ['where the state forgot it', [requested(1, ['1']), createdRequest(1), FORGOTTEN], at(0)],
    ['by its last attempt', [requested(1, ['1']), ended('throttled'), requested(1, ['1'])], at(2)],
    ['where it was found after all', [requested(1, ['1']), unknown, resolved('not-created'), found], at(3)],
    [
      'not where it was rejected and then forgotten',
      [requested(1, ['1']), ended('rejected'), FORGOTTEN],
      undefined,
    ],
    ['not where it was rejected', [requested(1, ['1']), ended('rejected')], undefined],
    ['not where it was never sent', [requested(1, ['1']), ended('not-sent')], undefined],
    ['not where it was throttled', [requested(1, ['1']), ended('throttled')], undefined],
    [
      'not where somebody says that it was not created',
      [requested(1, ['1']), unknown, resolved('not-created')],
      undefined,
    ],
  ])('%s', (_, happenings, since) => {
    expect(folded(...happenings).requests.get(FIRST)?.requestedAt).toBe(since);
  });
});

describe('a request is one of this run', () => {
  const open = (...happenings: readonly Happening[]) => [...folded(...happenings).spending.open];

  it('until an apply has ended; a decision between two runs ends none', () => {
    const killed = [started('apply'), requested(1, ['1'])];
    expect(open(...killed)).toEqual([FIRST]);
    expect(
      open(...killed, started('resolve media-config/hero@1 --skip'), resolved('skipped'), finished),
    ).toEqual([FIRST]);
    expect(open(...killed, started('apply'), requested(2, ['2']))).toEqual([FIRST, 'media-config/hero@2']);
    expect(open(...killed, started('apply'), requested(2, ['2']), finished)).toEqual([]);
  });

  it('unless it was not made; a product costs nothing', () => {
    expect(open(started('apply'), intent('product/tote'), requested(1, ['1']), ended('rejected'))).toEqual(
      [],
    );
  });
});

it('what another log has spent is taken over by month', () => {
  const spent = (month: string, posts: number): Happening => ({ type: 'spent', month, posts, cost: 0.1 });
  const { carried } = folded(spent('2026-01', 1), spent('2026-02', 2)).spending;
  expect([...carried].map(([month, { posts }]) => [month, posts])).toEqual([
    ['2026-01', 1],
    ['2026-02', 2],
  ]);
});

describe('what was spent', () => {
  const of = (happenings: readonly Happening[], prices = {}) => {
    const { months, run } = spendingOf(folded(started('apply'), ...happenings), prices);
    return [months.get('2026-01'), run];
  };
  const one = requested(1, ['1']);
  const two = [one, requested(2, ['2', '3'])];
  const image = moneyOf(0.5);

  it('counts every request that was sent, in its month and in its run, at the prices of today', () => {
    const spent = { posts: 3, cost: moneyOf(1.5) };
    expect(of(two, { image })).toEqual([spent, spent]);
    const { requests, spending } = folded(started('apply'), ...two);
    // One that the state knows nothing of any more.
    const open = new Set([...spending.open, 'media-config/gone@1']);
    const state = { ...folded(...two), requests, spending: { ...spending, open } };
    expect(spendingOf(state, { image }).run).toEqual(spent);
  });

  it('is its posts alone where nobody knows a price, and nothing where it was refused', () => {
    const spent = { posts: 2, cost: 0n };
    expect(of([...two, ended('rejected')])).toEqual([spent, spent]);
  });

  it('is what the log says that it cost', () => {
    if (one.type !== 'intent' || !one.request) throw new Error('it is a request');
    const spent = { posts: 1, cost: moneyOf(7) };
    expect(of([{ ...one, request: { ...one.request, cost: 7 } }], { image })).toEqual([spent, spent]);
  });
});
