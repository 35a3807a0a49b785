import type { Address } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../util/json.ts';

/** What an item must have in common with one of the state to count as the same. */
export interface Marks {
  readonly ofItem: (item: GraphItem) => string;
  readonly ofMedium: (medium: MediaState) => string;
}

/** What may depend on the post that the item is in, too. */
export interface PlacedMarks extends Pick<Marks, 'ofMedium'> {
  readonly ofItem: (item: GraphItem, post: string) => string;
}

export const SAME_CONTENT: Marks = {
  ofItem: ({ fingerprint }) => fingerprint,
  ofMedium: (medium) => currentTake(medium)?.fingerprint ?? '',
};

/** Whether no apply has left it alone: what is added after that is no edit of it. */
export function isRecent({ leftAlone }: MediaState): boolean {
  return !leftAlone;
}

export interface ByName extends Marks {
  /** Whether inputs are the same but for what is upstream; compares two of them at once, which is cheaper than their marks. */
  readonly isSame: (a: JsonObject, b: JsonObject) => boolean;
}

/** Inputs with upstream objects by their address: they stay equal when only something upstream changes. */
export function sameByName(graph: Graph, state: RunState): ByName {
  let names: ReadonlyMap<string, Address> | undefined;
  // Most plans ask for none.
  const nameOf = (hash: string) => (names ??= namesOf(graph, state)).get(hash);
  const byName = (inputs: JsonObject) =>
    canonicalJson(inputs).replace(/"([0-9a-f]+)"/g, (word, hash: string) => nameOf(hash) ?? word);
  const isSame = (a: Json | undefined, b: Json | undefined): boolean => {
    if (a === b) return true;
    if (typeof a === 'string' && typeof b === 'string') {
      const name = nameOf(a);
      return name !== undefined && name === nameOf(b);
    }
    if (isJsonArray(a) && isJsonArray(b))
      return a.length === b.length && a.every((each, index) => isSame(each, b[index]));
    if (!isJsonObject(a) || !isJsonObject(b)) return false;
    const members = Object.keys(a);
    return (
      members.length === Object.keys(b).length && members.every((member) => isSame(a[member], b[member]))
    );
  };
  return {
    isSame,
    ofItem: ({ inputs }) => byName(inputs),
    ofMedium: (medium) => byName(currentTake(medium)?.inputs ?? {}),
  };
}

/**
 * The objects by the fingerprints of all their versions. Those that had one content at some time, such as two rows of a
 * table before one of them got a text of its own, share a name: nobody knows which of them a post was made with.
 */
export function namesOf(graph: Graph, state: RunState): ReadonlyMap<string, Address> {
  const names = new Map<string, Address>();
  const twins = new Map<Address, Address>();
  const firstOf = (address: Address): Address => {
    const twin = twins.get(address);
    const first = twin === undefined ? address : firstOf(twin);
    if (twin !== undefined) twins.set(address, first);
    return first;
  };
  for (const address of new Set([...graph.objects.keys(), ...state.objects.keys()])) {
    const versions = [...(state.objects.get(address)?.versions.keys() ?? [])];
    const now = graph.objects.get(address);
    if (now) versions.push(now.fingerprint);
    const known = versions.flatMap((version) => names.get(version) ?? []).map(firstOf);
    const [name = address, ...others] = new Set(known);
    for (const other of others) twins.set(other, name);
    for (const version of versions) names.set(version, name);
  }
  if (twins.size) for (const [version, name] of names) names.set(version, firstOf(name));
  return names;
}
