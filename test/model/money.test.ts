import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf, requestCost, sum } from '../../src/model/budget.ts';
import { amountOf, isExact, LARGEST_AMOUNT, moneyOf } from '../../src/model/money.ts';

const of = (...types: ('image' | 'video')[]) => types.map((post_type) => ({ payload: { post_type } }));
const PRICES = { image: moneyOf(0.1), video: moneyOf(1.2) };

describe('money', () => {
  it('adds up exactly what drifts as numbers do', () => {
    const tenth = { posts: 1, cost: moneyOf(0.1) };
    expect(amountOf(sum(Array.from({ length: 1_000_000 }, () => tenth)).cost)).toBe(100_000);
    expect(amountOf(moneyOf(0.1) + moneyOf(0.2))).toBe(0.3);
  });

  it('is what was written, up to the largest amount and six decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LARGEST_AMOUNT * 1e6 }), (millionths) => {
        const amount = Number(`${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`);
        expect(isExact(amount)).toBe(true);
        expect(moneyOf(amount)).toBe(BigInt(millionths));
        expect(amountOf(moneyOf(amount))).toBe(amount);
      }),
    );
    expect([0.0000001, 0.1234567, 1e-9].map(isExact)).toEqual([false, false, false]);
  });
});

describe('what a request costs', () => {
  it('is the sum of its items; posts beyond them cost as much as the dearest', () => {
    const cost = (items: ReturnType<typeof of>, numberOfPosts: number) =>
      amountOf(requestCost({ items, numberOfPosts }, PRICES) ?? -1n);
    expect(cost(of('image', 'video'), 2)).toBe(1.3);
    expect(cost(of('image', 'video'), 5)).toBe(4.9);
    expect(cost(of('image', 'image', 'image'), 2)).toBe(0.3);
  });

  it('is not known where a post has no price', () => {
    expect(requestCost({ items: of('image', 'video'), numberOfPosts: 2 }, { image: 1n })).toBeUndefined();
  });
});

it('a month is one by UTC', () => {
  expect(monthOf(Date.parse('2026-12-01T00:30:00+02:00'))).toBe('2026-11');
  expect(monthOf('2026-12-01T00:00:00.000Z')).toBe('2026-12');
});
