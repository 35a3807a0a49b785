/** Which products and concepts a request was sent with. These may have other names since, and the request has the old ones. */
import type { Address } from '../model/address.ts';
import { hasKey } from '../model/kinds.ts';
import type { ObjectRef, RequestedItem } from '../model/payload.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import { idKey } from '../util/id-key.ts';
import { isJsonObject, textOf } from '../util/json.ts';

/** Addresses of objects of the state. */
export function findUses({ objects }: RunState): (request: RequestState) => ReadonlySet<Address> {
  const byVersion = new Map<string, Address[]>();
  const byId = new Map<string, Address>();
  for (const object of objects.values()) {
    if (!hasKey(object.address)) continue;
    for (const version of object.versions.keys()) {
      const alike = byVersion.get(version);
      if (alike) alike.push(object.address);
      else byVersion.set(version, [object.address]);
    }
    const id = idOf(object);
    if (id !== undefined) byId.set(idKey(id), object.address);
  }

  /** What had these inputs: the object that still has the name, else each that ever had them, else what has the name now. */
  const meant = (ref: ObjectRef, fingerprint: string): readonly Address[] => {
    if ('id' in ref) return [byId.get(idKey(ref.id)) ?? []].flat();
    const named = objects.get(ref.address);
    if (named?.versions.has(fingerprint)) return [ref.address];
    return byVersion.get(fingerprint) ?? (named ? [ref.address] : []);
  };

  return ({ payload, result }) => {
    const used = new Set<Address>();
    const add = (addresses: readonly Address[]) => {
      for (const address of addresses) used.add(address);
    };
    const concept = result && byId.get(idKey(result.concept));
    if (concept !== undefined) used.add(concept);
    for (const item of payload.items) {
      const [conceptVersion, products] = versionsOf(item);
      if (concept === undefined) add(meant(payload.concept, conceptVersion));
      for (const [index, { product }] of item.payload.assets.entries())
        add(meant(product, products[index] ?? ''));
    }
    return used;
  };
}

export function idOf({ result }: ObjectState): string | undefined {
  return result && 'id' in result ? result.id : undefined;
}

/** Fingerprints of the concept and of the products, as the inputs of an item name them. */
function versionsOf({ inputs: { concept, assets } }: RequestedItem): readonly [string, readonly string[]] {
  const products = Array.isArray(assets)
    ? assets.map((asset) => (isJsonObject(asset) ? textOf(asset['product']) : ''))
    : [];
  return [textOf(concept), products];
}
