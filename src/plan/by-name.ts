import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { RunState } from '../model/run-state.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import type { JsonObject } from '../util/json.ts';

/** Canonical inputs as text, with objects named by their address. */
export type ByName = (inputs: JsonObject) => string;

/**
 * Inputs of an item in which upstream objects stand by their address, whatever version of them is meant, so that they
 * stay equal when only something upstream changes.
 */
export function inputsByName(graph: Graph, state: RunState, addresses: readonly Address[]): ByName {
  const names = new Map<string, Address>();
  for (const address of addresses) {
    for (const version of state.objects.get(address)?.versions.keys() ?? []) names.set(version, address);
  }
  for (const address of addresses) {
    const now = graph.objects.get(address);
    if (now) names.set(now.fingerprint, address);
  }
  return (inputs) => canonicalJson(inputs).replace(/"([0-9a-f]+)"/g, (word, hash) => names.get(hash) ?? word);
}
