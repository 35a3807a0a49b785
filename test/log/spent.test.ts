import { describe, expect, it } from 'vitest';
import { spendingOf, spentSince } from '../../src/log/spending.ts';
import { fold, emptyState } from '../../src/log/fold.ts';
import { amountOf, moneyOf } from '../../src/model/money.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { request } from './fold-events.ts';

const PRICES = { image: moneyOf(0.25) };

/** A request of so many posts; `cost` as it was noted. */
function requested(
  at: string,
  n: number,
  { posts = 1, cost }: { posts?: number; cost?: number } = {},
): StateEvent {
  const items = Array.from({ length: posts }, (_, index) => `${index}`);
  const payload = { ...request(n, items), ...(cost !== undefined && { cost }) };
  const address = `media-config/hero@${n}`;
  return { type: 'intent', at, address, attempt: 1, inputs: {}, fingerprint: '', request: payload };
}

const spent = (month: string, ...events: readonly StateEvent[]) => {
  const spending = spendingOf(events.reduce(fold, emptyState()), PRICES);
  const { posts, cost } = spentSince(spending, month);
  return [posts, amountOf(cost), spending.run.posts];
};

describe('spent in a month', () => {
  it('is every request that was sent, at the price of its time, or of today where none was noted', () => {
    const first = requested('2026-11-01T00:00:00.000Z', 1, { posts: 4, cost: 0.4 });
    const second = requested('2026-11-30T23:59:59.999Z', 2, { posts: 2 });
    expect(spent('2026-11', first, second)).toEqual([6, 0.9, 6]);
  });

  it('leaves out earlier months, and counts what is dated later', () => {
    const events = ['2026-10-31T23:59:59.999Z', '2026-11-05T10:00:00.000Z', '2027-02-01T00:00:00.000Z'].map(
      (at, index) => requested(at, index + 1, { cost: 0.1 }),
    );
    expect(spent('2026-11', ...events)).toEqual([2, 0.2, 3]);
    expect(spent('2027-03', ...events)).toEqual([0, 0, 3]);
  });

  it('leaves out what was refused; a run that ended leaves the month, and begins the next run', () => {
    const problem = { summary: 'no' };
    const started: StateEvent = {
      type: 'run-started',
      at: '',
      command: 'apply',
      version: '1',
      manifest: 'm.yaml',
      by: 'anna@studio',
    };
    const nodes = { created: 0, updated: 0, replaced: 0, deleted: 0, moved: 0, unchanged: 0, downloaded: 0 };
    const none = { ...nodes, failed: 0, blocked: 0, unknown: 0, pending: 0 };
    const finished: StateEvent = {
      type: 'run-finished',
      at: '',
      outcome: 'succeeded',
      exit_code: 0,
      nodes: none,
    };
    const refused: StateEvent = { type: 'rejected', at: '', address: 'media-config/hero@1', problem };
    const events = [started, requested('2026-11-05T10:00:00.000Z', 1), refused];
    const second = requested('2026-11-05T10:00:00.000Z', 2, { cost: 0.1 });
    expect(spent('2026-11', ...events)).toEqual([0, 0, 0]);
    expect(spent('2026-11', ...events, second, finished)).toEqual([1, 0.1, 0]);
  });

  it('counts posts of which nobody knows what they cost', () => {
    const state = [requested('2026-11-05T10:00:00.000Z', 1)].reduce(fold, emptyState());
    expect(spentSince(spendingOf(state, {}), '2026-11')).toEqual({ posts: 1, cost: 0n });
  });

  it('adds what a log before this one had spent', () => {
    const carried: StateEvent = { type: 'spent', at: '', month: '2026-11', posts: 26, cost: 2.6 };
    expect(spent('2026-11', carried, requested('2026-11-05T10:00:00.000Z', 1))).toEqual([27, 2.85, 1]);
    expect(spent('2026-12', carried)).toEqual([0, 0, 0]);
  });
});
