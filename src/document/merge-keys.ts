/**
 * Merge keys: `<<: *name` puts the members of a map, or of each map of a list, into the map around it, as YAML 1.1 and
 * Docker Compose read it. What the map itself says wins, and an earlier map of a list wins over a later one.
 */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { keyName } from './key-name.ts';

/** In quotes, `"<<"` is a key as any other. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && (key.type === undefined || key.type === 'PLAIN');
}

/** The members of a map by name, in their order, merged ones included; of a duplicate key the last one counts. */
export function membersByName(map: YAMLMap, targets: WeakMap<Alias, Node>): Map<string, Pair> {
  const members = new Map<string, Pair>();
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) members.set(keyName(pair.key) ?? '', pair);
    else
      for (const merged of mergedMaps(pair.value, targets) ?? [])
        for (const [name, each] of membersByName(merged, targets))
          if (!members.has(name)) members.set(name, each);
  }
  return members;
}

/** The maps that the value of a merge key stands for; undefined where it is anything else. */
export function mergedMaps(value: unknown, targets: WeakMap<Alias, Node>): YAMLMap[] | undefined {
  const named = targetOf(value, targets);
  const maps = (isSeq(named) ? named.items : [named]).map((each) => targetOf(each, targets));
  return maps.every((each) => isMap(each)) ? maps : undefined;
}

function targetOf(value: unknown, targets: WeakMap<Alias, Node>): unknown {
  return isAlias(value) ? targets.get(value) : value;
}
