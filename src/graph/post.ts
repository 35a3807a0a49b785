import type { Item, KeyOrId, Post } from '../manifest/manifest.ts';
import { addressesOf } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import { type KeyedKind, objectAddress } from '../model/kinds.ts';
import type { ObjectRef } from '../model/payload.ts';
import { externalInputs, fingerprint } from './objects.ts';

export function postNode(post: Post, objects: Graph['objects']): GraphPost {
  const { items, numberOfPosts } = post;
  const concept = refTo(post.concept, 'concept', objects);
  const conceptMeaning = meaningOf(concept, 'concept', objects);
  return {
    path: post.instance === undefined ? post.key : `${post.key}/${post.instance}`,
    concept,
    items: items.map((item) => itemNode(item, conceptMeaning, objects)),
    ...(numberOfPosts === undefined || numberOfPosts === items.length ? {} : { numberOfPosts }),
    source: post.source,
  };
}

function itemNode(item: Item, concept: string, objects: Graph['objects']): GraphItem {
  const assets = item.assets.map(({ type, product, url }) => ({
    type,
    product: refTo(product, 'product', objects),
    ...(url === undefined ? {} : { url }),
  }));
  const { key, post_type, variants, descriptions, metadata, source } = item;
  const inputs = {
    post_type,
    metadata,
    variants,
    descriptions,
    assets: assets.map((asset) => ({ ...asset, product: meaningOf(asset.product, 'product', objects) })),
    concept,
  };
  return {
    ...(key === undefined ? {} : { key }),
    inputs,
    fingerprint: fingerprint('media', inputs),
    payload: { post_type, assets, variants, descriptions, metadata },
    products: [...new Set(addressesOf(assets.map(({ product }) => product)))],
    source,
  };
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
