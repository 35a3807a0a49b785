/** The first values, at most as many as `most`. */
export function firstOf<Value>(values: Iterable<Value>, most: number): Value[] {
  const first: Value[] = [];
  for (const value of values) {
    if (first.push(value) === most) break;
  }
  return first;
}
