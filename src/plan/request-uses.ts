/** Which products and concepts a request was sent with: it names them as they are named now. */
import type { Address } from '../model/address.ts';
import { hasKey } from '../model/kinds.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import { idKey } from '../util/id-key.ts';

/** Addresses of objects of the state. */
export function findUses({ objects }: RunState): (request: RequestState) => ReadonlySet<Address> {
  const byId = new Map<string, Address>();
  for (const object of objects.values()) {
    const id = hasKey(object.address) ? idOf(object) : undefined;
    if (id !== undefined) byId.set(idKey(id), object.address);
  }
  return ({ payload: { concept, items }, result }) => {
    const products = items.flatMap(({ payload }) => payload.assets.map(({ product }) => product));
    // The answer says which concept it was, whatever is called like that by now.
    const made = result && byId.get(idKey(result.concept));
    const refs = made === undefined ? [concept, ...products] : products;
    const used = refs.flatMap((ref) => {
      const address = 'id' in ref ? byId.get(idKey(ref.id)) : ref.address;
      return address !== undefined && objects.has(address) ? [address] : [];
    });
    return new Set([...(made === undefined ? [] : [made]), ...used]);
  };
}

export function idOf({ result }: ObjectState): string | undefined {
  return result && 'id' in result ? result.id : undefined;
}
