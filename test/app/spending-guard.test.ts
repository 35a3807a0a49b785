import { expect, it } from 'vitest';
import type { Wallet } from '../../src/app/account.ts';
import { createSpendingGuard } from '../../src/app/spending-guard.ts';
import { NOTHING_SPENT } from '../../src/model/budget.ts';
import { amountOf, moneyOf } from '../../src/model/money.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { requestNode, uploadNode } from '../support/planned-nodes.ts';

const NOVEMBER = Date.parse('2026-11-30T23:59:00.000Z');
const PRICES = { image: moneyOf(0.1) };

function guardAt(now: number, more: Partial<Wallet>) {
  const clock = { ...createManualClock(), now: () => now };
  const at = { now };
  const spent = { run: NOTHING_SPENT, month: NOTHING_SPENT };
  const spending = { months: new Map(), run: NOTHING_SPENT };
  const wallet = { prices: PRICES, limits: [], spent, spending, excess: 'nothing', ...more } as const;
  return { guard: createSpendingGuard(wallet, { ...clock, now: () => at.now }), at };
}

const refused = (type: 'rejected' | 'not-sent' | 'throttled', name: string): StateEvent => ({
  type,
  at: '',
  address: `media-config/${name}@1`,
  problem: { summary: 'no' },
});

it('lets requests pass up to the limit, and counts them from then on, whatever comes of them', () => {
  const { guard } = guardAt(NOVEMBER, { limits: [{ per: 'run', of: 'posts', most: 2 }] });
  expect([guard.whyNot(requestNode('a')), guard.whyNot(requestNode('b'))]).toEqual([undefined, undefined]);
  guard.recorded([{ type: 'unknown', at: '', address: 'media-config/a@1', evidence: { summary: 'reset' } }]);
  expect(guard.whyNot(requestNode('c'))).toEqual({
    summary: 'over budget',
    detail: 'per_run.posts of the budget is 2',
  });
  expect(guard.whyNot(uploadNode('photo'))).toBeUndefined();
  expect(guard.requested.posts).toBe(2);
});

it('takes back what was refused, once', () => {
  const { guard } = guardAt(NOVEMBER, { limits: [{ per: 'month', of: 'posts', most: 1 }] });
  for (const type of ['rejected', 'not-sent', 'throttled'] as const) {
    expect(guard.whyNot(requestNode('a'))).toBeUndefined();
    guard.recorded([refused(type, 'a'), refused(type, 'a'), refused(type, 'other')]);
  }
  expect([guard.requested.posts, amountOf(guard.requested.cost)]).toEqual([0, 0]);
  expect(guard.whyNot(requestNode('a'))).toBeUndefined();
  expect(guard.whyNot(requestNode('b'))).toBeDefined();
});

it('adds what was spent before: in this month, later by a wrong clock, and by runs that did not end', () => {
  const months = new Map([
    ['2026-10', { posts: 100, cost: 0n }],
    ['2026-11', { posts: 1, cost: 0n }],
    ['2027-01', { posts: 1, cost: 0n }],
  ]);
  const spending = { months, run: { posts: 2, cost: 0n } };
  const month = guardAt(NOVEMBER, { spending, limits: [{ per: 'month', of: 'posts', most: 3 }] }).guard;
  expect(month.whyNot(requestNode('a'))).toBeUndefined();
  expect(month.whyNot(requestNode('b'))).toBeDefined();
  const run = guardAt(NOVEMBER, { spending, limits: [{ per: 'run', of: 'posts', most: 2 }] }).guard;
  expect(run.whyNot(requestNode('a'))).toBeDefined();
});

it('a new month begins with nothing, a run does not', () => {
  const limits = [
    { per: 'month', of: 'posts', most: 1 },
    { per: 'run', of: 'posts', most: 2 },
  ] as const;
  const { guard, at } = guardAt(NOVEMBER, { limits });
  expect(guard.whyNot(requestNode('a'))).toBeUndefined();
  expect(guard.whyNot(requestNode('b'))).toBeDefined();
  at.now += 120_000;
  expect(guard.whyNot(requestNode('b'))).toBeUndefined();
  at.now += 40 * 24 * 3_600_000;
  expect(guard.whyNot(requestNode('c'))?.detail).toBe('per_run.posts of the budget is 2');
});
