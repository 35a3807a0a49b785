/** Factors and their values, as `{ colour: ['red', 'green'], size: [1, 2] }`. */
export type Factors = Readonly<Record<string, readonly (string | number)[]>>;

/** One value of each factor. */
export type Combination<F extends Factors> = { -readonly [Name in keyof F]: F[Name][number] };

/**
 * Combinations in which every two values of different factors meet at least once: far fewer than all, and most
 * mistakes need no more than two. Greedy: each combination takes in as many pairs that have not met as it can.
 */
export function pairwise<F extends Factors>(factors: F): Combination<F>[] {
  const open = new Map(pairsOf(Object.entries(factors)).map((pair) => [keyOf(pair), pair]));
  const combinations: Combination<F>[] = [];
  for (let next = first(open); next !== undefined; next = first(open)) {
    const chosen = new Map<string, string | number>(next);
    for (const [name, values] of Object.entries(factors)) {
      if (!chosen.has(name))
        chosen.set(
          name,
          bestOf(values, (value) => gain([name, value], chosen, open)),
        );
    }
    const all = [...chosen];
    for (const [index, one] of all.entries())
      for (const other of all.slice(index + 1)) open.delete(keyOf([one, other]));
    combinations.push(Object.fromEntries(all) as Combination<F>);
  }
  return combinations;
}

type Choice = readonly [name: string, value: string | number];
type Pair = readonly [Choice, Choice];

function pairsOf(factors: readonly (readonly [string, readonly (string | number)[]])[]): Pair[] {
  return factors.flatMap(([name, values], index) =>
    factors.slice(index + 1).flatMap(([other, others]) =>
      values.flatMap((value) =>
        others.map(
          (second): Pair => [
            [name, value],
            [other, second],
          ],
        ),
      ),
    ),
  );
}

function keyOf(pair: Pair): string {
  return JSON.stringify([...pair].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** How many pairs this choice would let meet for the first time. */
function gain(
  choice: Choice,
  chosen: ReadonlyMap<string, string | number>,
  open: ReadonlyMap<string, Pair>,
): number {
  return [...chosen].filter((other) => open.has(keyOf([choice, other]))).length;
}

function bestOf<T>(values: readonly T[], score: (value: T) => number): T {
  const scores = values.map(score);
  return values[scores.indexOf(Math.max(...scores))] as T;
}

function first<T>(map: ReadonlyMap<string, T>): T | undefined {
  return map.values().next().value;
}

/** As few of these combinations as it takes that each value of each dimension is in one of them. */
export function eachValueOnce<T extends object>(combinations: readonly T[]): readonly T[] {
  const valuesOf = (combination: T) => Object.entries(combination).map(([name, value]) => `${name}=${value}`);
  const missing = new Set(combinations.flatMap(valuesOf));
  const chosen: T[] = [];
  while (missing.size > 0) {
    const gain = (combination: T) => valuesOf(combination).filter((value) => missing.has(value)).length;
    const best = combinations.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    for (const value of valuesOf(best)) missing.delete(value);
    chosen.push(best);
  }
  return chosen;
}
