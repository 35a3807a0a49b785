import { expect, it } from 'vitest';
import { SWITCHES } from '../../src/emulator/behaviour.ts';
import { pairwise, type Factors } from '../support/pairwise.ts';

/** Every pair of values that should meet and does not. */
function missing(
  factors: Factors,
  combinations: readonly Readonly<Record<string, string | number>>[],
): string[] {
  const names = Object.keys(factors);
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        (factors[one] ?? []).flatMap((a) =>
          (factors[other] ?? [])
            .filter((b) => !combinations.some((row) => row[one] === a && row[other] === b))
            .map((b) => `${one}=${a} ${other}=${b}`),
        ),
      ),
  );
}

it.each<[Factors, number]>([
  [{ a: [1, 2], b: [1, 2] }, 4],
  [{ a: [1, 2], b: [1, 2], c: [1, 2] }, 6],
  [{ a: [1, 2, 3], b: ['x'], c: ['x', 'y'], d: [0, 1, 2, 3] }, 16],
  [SWITCHES, 60],
])('lets every two values of %o meet in at most %i combinations', (factors, most) => {
  const combinations = pairwise(factors);
  expect(missing(factors, combinations)).toEqual([]);
  expect(missing(factors, combinations.slice(0, -1))).not.toEqual([]);
  expect(combinations.length).toBeLessThanOrEqual(most);
  for (const row of combinations) {
    expect(Object.keys(row).sort()).toEqual(Object.keys(factors).sort());
    for (const [name, value] of Object.entries(row)) expect(factors[name]).toContain(value);
  }
});
