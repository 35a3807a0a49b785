/**
 * What the service may give out only once: an id within its kind, the URL of a file. A name that another node has is a
 * wrong answer: with it, a node would use another node's object.
 */
import type { Address } from '../model/address.ts';
import { kindOf, KINDS } from '../model/kinds.ts';
import type { NodeResult } from '../model/result.ts';
import type { RunState } from '../model/run-state.ts';
import { textOf } from '../util/json.ts';

export interface Taken {
  readonly name: string;
  readonly owner: Address;
}

/** An index over the state at the first claim, because a campaign may have a hundred thousand items. */
export function createKnownNames(state: RunState) {
  let index: Map<string, Address> | undefined;
  return {
    /**
     * Records the names of a node's result at the moment when its answer came, so that of two creates in flight with one
     * id the second is refused. Returns the first name that another node has, and that node; then nothing is recorded.
     */
    claim(owner: Address, result: NodeResult): Taken | undefined {
      index ??= indexOf(state);
      const names = namesOf(owner, result);
      for (const name of names) {
        const other = index.get(name);
        // The query of a link may be its signature.
        if (other !== undefined && other !== owner)
          return { name: name.replace(/[?#].*$/s, ''), owner: other };
      }
      for (const name of names) index.set(name, owner);
      return undefined;
    },
  };
}

export type KnownNames = ReturnType<typeof createKnownNames>;

function indexOf({ objects, requests }: RunState): Map<string, Address> {
  const index = new Map<string, Address>();
  for (const { address, result } of [...objects.values(), ...requests.values()]) {
    for (const name of result ? namesOf(address, result) : []) index.set(name, address);
  }
  return index;
}

/** Ids of different kinds may be equal: the product 1 and the concept 1 are two. */
function namesOf(owner: Address, result: NodeResult): string[] {
  const kind = kindOf(owner);
  if (kind && KINDS[kind].creates === 'link')
    return 'url' in result && result.url !== undefined ? [`the URL ${result.url}`] : [];
  if (!('id' in result)) return [];
  const items = 'items' in result ? Object.values(result.items) : [];
  return [`the ${kind} ${result.id}`, ...items.map((item) => `the item ${textOf(item['id'])}`)];
}
