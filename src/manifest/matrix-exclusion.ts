/** A value of a matrix, as exclusions compare it. */
interface Valued {
  readonly text: string;
}

/**
 * Compiles a function that tells which combinations are excluded; their values are in the order of the keys. Entries
 * that name the same keys become one set, so that ten thousand entries cost a combination no more than one.
 */
export function compileExclusion(
  keys: readonly string[],
  excluded: readonly ReadonlyMap<string, Valued>[],
): (values: readonly Valued[]) => boolean {
  const byKeys = new Map<string, { places: readonly number[]; texts: Set<string> }>();
  for (const entry of excluded) {
    const places = keys.flatMap((key, place) => (entry.has(key) ? [place] : []));
    const group = byKeys.get(places.join()) ?? { places, texts: new Set<string>() };
    group.texts.add(JSON.stringify(places.map((place) => entry.get(keys[place] ?? '')?.text)));
    byKeys.set(places.join(), group);
  }
  const groups = [...byKeys.values()];
  return (values) =>
    groups.some(({ places, texts }) => texts.has(JSON.stringify(places.map((place) => values[place]?.text))));
}
