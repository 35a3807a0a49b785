import type { Item, KeyOrId, Post } from '../manifest/manifest.ts';
import { addressesOf } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import { type KeyedKind, objectAddress } from '../model/kinds.ts';
import type { ObjectRef } from '../model/payload.ts';
import { defined } from '../util/defined.ts';
import { externalInputs, fingerprint, fingerprintFor } from './objects.ts';

/** Makes the nodes of posts. Instances of a matrix share items: what an item means but for the concept is found once. */
export function createPostNode(objects: Graph['objects']): (post: Post) => GraphPost {
  const prepared = new Map<Item, (concept: string) => GraphItem>();
  const itemNodeOf = (item: Item) => {
    const known = prepared.get(item) ?? prepareItem(item, objects);
    prepared.set(item, known);
    return known;
  };
  return ({ key, instance, period, concept: written, items, ...post }) => {
    const { instanceOf, numberOfPosts, maxTakes, regenerate, source } = post;
    const concept = refTo(written, 'concept', objects);
    const meaning = meaningOf(concept, 'concept', objects);
    return {
      path: instance === undefined ? key : `${key}/${instance}`,
      ...(period && { period }),
      concept,
      items: items.map((item) => itemNodeOf(item)(meaning)),
      ...(numberOfPosts === undefined || numberOfPosts === items.length ? {} : { numberOfPosts }),
      ...defined({ instanceOf, maxTakes, regenerate }),
      source,
    };
  };
}

function prepareItem(item: Item, objects: Graph['objects']): (concept: string) => GraphItem {
  const assets = item.assets.map(({ type, product, url }) => ({
    type,
    product: refTo(product, 'product', objects),
    ...(url === undefined ? {} : { url }),
  }));
  const { key, post_type, variants, descriptions, metadata, source } = item;
  const payload = { post_type, assets, variants, descriptions, metadata };
  const meant = assets.map((asset) => ({ ...asset, product: meaningOf(asset.product, 'product', objects) }));
  const products = [...new Set(addressesOf(assets.map(({ product }) => product)))];
  const own = { post_type, metadata, variants, descriptions, assets: meant };
  const fingerprintWith = fingerprintFor('media', own, 'concept');
  return (concept) => ({
    inputs: { post_type, metadata, variants, descriptions, assets: meant, concept },
    fingerprint: fingerprintWith(concept),
    payload,
    products,
    source,
    ...(key === undefined ? {} : { key }),
  });
}

/** A key of an object that exists at the service is passed on as its id: there is nothing to wait for. */
function refTo(ref: KeyOrId, kind: KeyedKind, objects: Graph['objects']): ObjectRef {
  if ('id' in ref) return ref;
  const address = objectAddress(kind, ref.key);
  const external = objects.get(address)?.external;
  return external === undefined ? { address } : { id: external };
}

function meaningOf(ref: ObjectRef, kind: KeyedKind, objects: Graph['objects']): string {
  if ('id' in ref) return fingerprint(kind, externalInputs(ref.id));
  const object = objects.get(ref.address);
  if (!object) throw new Error(`reference was not checked: ${ref.address}`);
  return object.fingerprint;
}
