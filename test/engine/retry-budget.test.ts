import { expect, it } from 'vitest';
import { createRetryBudget } from '../../src/engine/retry-budget.ts';
import { createManualClock } from '../support/manual-clock.ts';

it('pays for 20 retries and refuses the next', () => {
  const budget = createRetryBudget(createManualClock());
  const paid = Array.from({ length: 21 }, () => budget.retry());
  expect(paid).toEqual([...Array.from({ length: 20 }, () => true), false]);
});

it('gets one fifth of a retry back with each success, and never holds more than at first', () => {
  const budget = createRetryBudget(createManualClock());
  for (let i = 0; i < 10; i += 1) budget.succeeded();
  for (let i = 0; i < 20; i += 1) budget.retry();
  for (let i = 0; i < 4; i += 1) budget.succeeded();
  expect(budget.retry()).toBe(false);
  budget.succeeded();
  expect(budget.retry()).toBe(true);
});

it('lets one probe in five seconds through while it is empty', async () => {
  const clock = createManualClock();
  const budget = createRetryBudget(clock);
  expect(budget.opensAt()).toBe(-Infinity);
  for (let i = 0; i < 20; i += 1) budget.retry();
  expect(budget.opensAt()).toBe(5000);
  await clock.advance(6000);
  budget.started();
  expect(budget.opensAt()).toBe(11_000);
  budget.succeeded();
  expect(budget.opensAt()).toBe(-Infinity);
});

it('gives up after a minute without a success', async () => {
  const clock = createManualClock();
  const budget = createRetryBudget(clock);
  expect(budget.givesUpAt()).toBe(Infinity);
  for (let i = 0; i < 20; i += 1) budget.retry();
  await clock.advance(30_000);
  budget.retry();
  expect(budget.givesUpAt()).toBe(60_000);
  budget.succeeded();
  expect(budget.givesUpAt()).toBe(Infinity);
  budget.retry();
  expect(budget.givesUpAt()).toBe(90_000);
});
