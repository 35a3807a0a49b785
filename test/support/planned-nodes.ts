import type { Address } from '../../src/model/address.ts';
import { kindHas } from '../../src/model/kinds.ts';
import type { Action, PlannedNode } from '../../src/model/plan.ts';
import type { NodeResult } from '../../src/model/result.ts';

type ObjectNode<Kind extends PlannedNode['kind']> = Extract<PlannedNode, { kind: Kind }>;

interface NodeOptions {
  readonly action?: Action;
  readonly dependsOn?: readonly Address[];
}

function base(address: Address, { action = 'create', dependsOn = [] }: NodeOptions) {
  return { address, action, dependsOn, reasons: [] };
}

function objectBase(address: Address, options: NodeOptions) {
  return { ...base(address, options), inputs: {}, fingerprint: `of ${address}` };
}

/** Nodes with as little in them as the engine needs; names are the parts of their addresses. */
export function uploadNode(name: string, options: NodeOptions = {}): ObjectNode<'upload'> {
  return {
    ...objectBase(`upload/${name}`, options),
    kind: 'upload',
    payload: { file: `${name}.jpg`, bytes: 1, sha256: name, contentType: 'image/jpeg' },
  };
}

export function productNode(name: string, options: NodeOptions = {}): ObjectNode<'product'> {
  return {
    ...objectBase(`product/${name}`, options),
    kind: 'product',
    payload: { name, variant: 'product_with_label', images: [] },
  };
}

export function conceptNode(name: string, options: NodeOptions = {}): ObjectNode<'concept'> {
  return { ...objectBase(`concept/${name}`, options), kind: 'concept', payload: { name, ref_images: [] } };
}

export function requestNode(
  post: string,
  options: NodeOptions & { posts?: number } = {},
): ObjectNode<'media-config'> {
  const { posts = 1 } = options;
  return {
    ...base(`media-config/${post}@1`, options),
    kind: 'media-config',
    payload: { post, n: 1, concept: { id: 'c' }, numberOfPosts: posts, items: [], nextItem: posts + 1 },
  };
}

export function mediaNode(post: string, item: string, options: NodeOptions = {}): PlannedNode {
  const request = `media-config/${post}@1`;
  return {
    ...base(`media/${post}/${item}@1`, { dependsOn: [request], ...options }),
    kind: 'media',
    payload: { post, item, take: 1, request, requestedAs: item },
    seen: false,
  };
}

export function downloadNode(post: string, item: string, options: NodeOptions = {}): PlannedNode {
  const request = `media-config/${post}@1`;
  return {
    ...base(`download/${post}/${item}@1`, { dependsOn: [`media/${post}/${item}@1`, request], ...options }),
    kind: 'download',
    payload: { post, item, take: 1, request, requestedAs: item, path: `out/${post}/${item}`, older: [] },
  };
}

/** A request, its media and their downloads. */
export function postNodes(post: string, items: number, options: NodeOptions = {}): PlannedNode[] {
  const names = Array.from({ length: items }, (_, index) => String(index + 1));
  return [
    requestNode(post, { ...options, posts: items }),
    ...names.map((item) => mediaNode(post, item)),
    ...names.map((item) => downloadNode(post, item)),
  ];
}

/** What a step gives when it is done. */
export function resultFor(node: PlannedNode): NodeResult {
  const { address } = node;
  if (kindHas(node, 'creates', 'link')) return { url: `https://files.example/${address}` };
  if (kindHas(node, 'creates', 'object')) return { id: address };
  if (kindHas(node, 'stored', 'request')) return { id: address, concept: 'c', items: {} };
  if (!kindHas(node, 'stored', 'files')) return { id: address, urls: [] };
  const file = { path: `${node.payload.path}.png`, sha256: 'x', bytes: 1, contentType: 'image/png' };
  return { media: address, files: [file] };
}
