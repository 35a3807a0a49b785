import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  everyOf,
  firstDayOf,
  hasDay,
  isDay,
  periodOf,
  withoutPeriod,
  withPeriod,
} from '../../src/model/period.ts';

describe('a period', () => {
  it.each([
    // Week 53 and week 1 have days of two years.
    ['2026-11-22', '2026-w47', '2026-11'],
    ['2026-11-23', '2026-w48', '2026-11'],
    ['2020-12-31', '2020-w53', '2020-12'],
    ['2021-01-03', '2020-w53', '2021-01'],
    ['2021-01-04', '2021-w01', '2021-01'],
    ['2024-12-29', '2024-w52', '2024-12'],
    ['2024-12-30', '2025-w01', '2024-12'],
    ['2026-12-31', '2026-w53', '2026-12'],
    ['2027-01-01', '2026-w53', '2027-01'],
    ['2024-02-29', '2024-w09', '2024-02'],
  ])('of %s is %s, and %s', (day, week, month) => {
    expect(periodOf('day', day)).toEqual({ name: day, day });
    expect(periodOf('week', day)).toEqual({ name: week, day });
    expect(periodOf('month', day)).toEqual({ name: month, day });
  });

  it.each([
    ['2026-11-22', '2026-11-22', 'day'],
    ['2026-w47', '2026-11-16', 'week'],
    ['2020-w53', '2020-12-28', 'week'],
    ['2025-w01', '2024-12-30', 'week'],
    ['2026-11', '2026-11-01', 'month'],
  ])('%s begins on %s', (name, first, every) => {
    expect([firstDayOf(name), everyOf(name)]).toEqual([first, every]);
  });

  it('has its days, and no others', () => {
    const day = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, fc.constantFrom('day', 'week', 'month'), (one, every) => {
        const { name } = periodOf(every, one);
        const before = new Date(Date.parse(firstDayOf(name)) - 1).toISOString().slice(0, 10);
        return hasDay(name, one) && hasDay(name, firstDayOf(name)) && !hasDay(name, before);
      }),
    );
    expect(
      ['morning', '9x16', '2026-w4', '12026-11', ''].map((name) => [
        everyOf(name),
        hasDay(name, '2026-11-22'),
      ]),
    ).toEqual(Array.from({ length: 5 }, () => [undefined, false]));
  });

  it('is the last part of a path', () => {
    for (const [base, path] of [
      ['hero', 'hero/2026-w47'],
      ['grid/morning+tote', 'grid/morning+tote+2026-w47'],
    ] as const) {
      expect([withPeriod(base, '2026-w47'), withPeriod(base, undefined)]).toEqual([path, base]);
      expect([withoutPeriod(path, '2026-w47'), withoutPeriod(base, undefined)]).toEqual([base, base]);
    }
  });
});

it.each([
  ['2026-11-22', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-11-31', false],
  ['2026-13-01', false],
  ['2026-11', false],
  ['2026-w47', false],
  ['22.11.2026', false],
  ['2026-11-22T10:00:00Z', false],
])('%s is a day of the calendar: %s', (text, is) => {
  expect(isDay(text)).toBe(is);
});
