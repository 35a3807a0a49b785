/**
 * What tells whether a 404 means that something is deleted. If a gateway answers in place of the service, or the key is
 * another account's, everything is 404, and what was deleted cannot be told from the rest.
 */
import { type Address, productKey } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { isDeletion, type Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import type { CallOptions } from '../service/endpoints.ts';
import type { Client } from '../service/client.ts';

/** Something that can be read at the service, and that no run has deleted. */
export interface Witness {
  readonly address: Address;
  /** This run deletes it, after everything else. */
  readonly isLast?: true;
  readonly answers: (client: Client, options: CallOptions) => Promise<boolean>;
}

/**
 * At most one product that the manifest names by its id, one product and one request that this plan keeps, and the product
 * that it deletes last. The newest are taken: they are the most likely ones to be there.
 */
export function witnessesOf(plan: Plan, state: RunState, graph: Pick<Graph, 'objects'>): Witness[] {
  const deleted = plan.nodes.listed.filter(isDeletion);
  if (!deleted.length) return [];
  const gone = new Set(deleted.map(({ address }) => address));
  const external = [...graph.objects.values()].find(
    (object) => object.kind === 'product' && object.external !== undefined,
  );
  const product = newest(
    [...state.objects.values()].filter(({ address }) => productKey(address) !== undefined),
    gone,
  );
  const request = newest([...state.requests.values()], gone);
  const last = deleted.findLast(({ kind }) => kind === 'product');
  return [
    ...(external?.external === undefined ? [] : [readable(external.address, external.external)]),
    ...[product, request].flatMap((kept) => (kept ? readable(kept.address, kept.id) : [])),
    ...(last ? [{ ...readable(last.address, last.payload.id), isLast: true as const }] : []),
  ];
}

interface Kept {
  readonly address: Address;
  readonly at: string;
  readonly result?: object | undefined;
  /** A refresh did not find it. */
  readonly goneAt?: string;
}

function newest(all: readonly Kept[], gone: ReadonlySet<Address>) {
  let found: { readonly address: Address; readonly id: string; readonly at: string } | undefined;
  for (const { address, at, result, goneAt } of all) {
    if (
      !result ||
      goneAt !== undefined ||
      !('id' in result) ||
      gone.has(address) ||
      (found && found.at >= at)
    )
      continue;
    found = { address, id: String(result.id), at };
  }
  return found;
}

function readable(address: Address, id: string): Witness {
  const isProduct = productKey(address) !== undefined;
  return {
    address,
    async answers(client, options) {
      const answer = isProduct
        ? await client.getProduct(id, options)
        : await client.getMediaConfig(id, options);
      return answer.ok;
    },
  };
}
