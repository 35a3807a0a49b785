import { expect, it } from 'vitest';
import { createRetryBudget } from '../../src/engine/retry-budget.ts';
import { createManualClock } from '../support/manual-clock.ts';

it('pays for 20 retries and refuses the next', () => {
  const budget = createRetryBudget(createManualClock());
  const paid = Array.from({ length: 21 }, () => budget.failed());
  expect(paid).toEqual([...Array.from({ length: 20 }, () => true), false]);
});

it('gets one fifth of a retry back with each success, and never holds more than at first', () => {
  const budget = createRetryBudget(createManualClock());
  for (let i = 0; i < 10; i += 1) budget.succeeded();
  for (let i = 0; i < 20; i += 1) budget.failed();
  for (let i = 0; i < 4; i += 1) budget.succeeded();
  expect(budget.failed()).toBe(false);
  budget.succeeded();
  expect(budget.failed()).toBe(true);
});

it('lets one probe in five seconds through while it is empty', async () => {
  const clock = createManualClock();
  const budget = createRetryBudget(clock);
  expect(budget.opensAt()).toBe(-Infinity);
  for (let i = 0; i < 19; i += 1) budget.failed();
  expect(budget.isEmpty).toBe(false);
  budget.failed();
  expect(budget.isEmpty).toBe(true);
  expect(budget.opensAt()).toBe(5000);
  await clock.advance(1000);
  // A failure of what is still under way does not put the probe off.
  budget.failed();
  expect(budget.opensAt()).toBe(5000);
  await clock.advance(5000);
  budget.started();
  expect(budget.opensAt()).toBe(11_000);
  budget.succeeded();
  expect(budget.isEmpty).toBe(false);
  expect(budget.opensAt()).toBe(-Infinity);
});

it('gives up a minute after the first of three failures without a success', async () => {
  const clock = createManualClock();
  const budget = createRetryBudget(clock);
  budget.failed();
  budget.failed();
  expect(budget.givesUpAt()).toBe(Infinity);
  await clock.advance(30_000);
  budget.failed();
  expect(budget.givesUpAt()).toBe(60_000);
  budget.succeeded();
  expect(budget.givesUpAt()).toBe(Infinity);
  for (let i = 0; i < 3; i += 1) budget.failed();
  expect(budget.givesUpAt()).toBe(90_000);
});

it('does not count the time in which the process stood still', () => {
  const budget = createRetryBudget(createManualClock());
  for (let i = 0; i < 3; i += 1) budget.failed();
  budget.suspended(600_000);
  expect(budget.givesUpAt()).toBe(660_000);
});

it('counts what is denied for the outage, and takes no retries for it', async () => {
  const clock = createManualClock();
  const budget = createRetryBudget(clock);
  for (let i = 0; i < 100; i += 1) budget.denied();
  expect(budget.isEmpty).toBe(false);
  expect(budget.givesUpAt()).toBe(60_000);
  await clock.advance(10_000);
  budget.succeeded();
  expect(budget.givesUpAt()).toBe(Infinity);
  for (let i = 0; i < 3; i += 1) budget.denied();
  expect(budget.givesUpAt()).toBe(70_000);
  expect(budget.failed()).toBe(true);
});
