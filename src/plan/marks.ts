import type { Address } from '../model/address.ts';
import type { Graph, GraphItem } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import type { JsonObject } from '../util/json.ts';

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

/** Inputs with these upstream objects by their address: they stay equal when only something upstream changes. */
export function sameByName(
  graph: Graph,
  state: RunState,
): Marks & { readonly ofInputs: (inputs: JsonObject) => string } {
  let names: ReadonlyMap<string, Address> | undefined;
  const byName = (inputs: JsonObject) => {
    // Most plans ask for none.
    const known = (names ??= namesOf(graph, state));
    return canonicalJson(inputs).replace(/"([0-9a-f]+)"/g, (word, hash) => known.get(hash) ?? word);
  };
  return {
    ofInputs: byName,
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
  for (const address of new Set([...graph.objects.keys(), ...state.objects.keys()])) {
    const versions = [...(state.objects.get(address)?.versions.keys() ?? [])];
    const now = graph.objects.get(address);
    if (now) versions.push(now.fingerprint);
    const twins = new Set(versions.flatMap((version) => names.get(version) ?? []));
    const [name = address] = twins;
    if (twins.size > 1) {
      for (const [version, other] of names) if (twins.has(other)) names.set(version, name);
    }
    for (const version of versions) names.set(version, name);
  }
  return names;
}
