import { addressesOf, mediaAddress, postPlanOf, requestAddress, type Address } from '../model/address.ts';
import type { Graph, GraphItem, GraphObject, GraphPost } from '../model/graph.ts';
import { kindHas, type NodeKind } from '../model/kinds.ts';
import { count } from '../util/count.ts';
import type { DrawnState, GraphStatus } from './graph-status.ts';

/** One node as people know it. */
export interface DrawnNode {
  readonly address: Address;
  readonly kind: NodeKind;
  /** The file name of a photo, the name of a product or concept, the path of a request, the key or caption of a post. */
  readonly label: string;
  /** What else tells it from others, one line each. */
  readonly about: readonly string[];
  /** The key of its post plan; absent for objects. */
  readonly post_plan?: string;
  /** Absent where the state is not looked at. */
  readonly status?: GraphStatus;
}

export interface DrawnEdge {
  readonly from: Address;
  readonly to: Address;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

const NO_STATE: DrawnState = { addresses: () => undefined, statuses: () => undefined };

/** The whole graph, and what each node builds on. */
export function drawGraph(graph: Graph, { addresses, statuses }: DrawnState = NO_STATE): DrawnGraph {
  const nodes: DrawnNode[] = [];
  const edges: DrawnEdge[] = [];
  const add = (node: Omit<DrawnNode, 'status'>, upstream: Iterable<Address>) => {
    const status = statuses(node.address);
    nodes.push(status === undefined ? node : { ...node, status });
    for (const from of upstream) edges.push({ from, to: node.address });
  };
  for (const object of graph.objects.values()) add(drawObject(object), object.dependsOn);
  for (const post of graph.posts) {
    const { path, concept, items } = post;
    const request = requestAddress(path, 1);
    const upstream = new Set([...addressesOf([concept]), ...items.flatMap(({ products }) => products)]);
    const own = { post_plan: postPlanOf(path) };
    const about = [`request of ${count(post.numberOfPosts ?? items.length, 'post')}`];
    add({ address: request, kind: 'media-config', label: path, about, ...own }, upstream);
    const known = addresses(post) ?? numbered(post);
    for (const [index, item] of items.entries()) {
      const address = known[index];
      if (address !== undefined) add({ ...drawItem(item, address), ...own }, [request]);
    }
  }
  return { nodes, edges };
}

function numbered({ path, items }: GraphPost): Address[] {
  let number = 0;
  return items.map(({ key }) => mediaAddress(path, key ?? String(++number)));
}

function drawObject(object: GraphObject): Omit<DrawnNode, 'status'> {
  const { address, kind, external } = object;
  if (kindHas(object, 'localFiles', 'reads')) {
    const slash = object.payload.file.lastIndexOf('/');
    const folder = object.payload.file.slice(0, Math.max(0, slash));
    return { address, kind, label: object.payload.file.slice(slash + 1), about: folder ? [folder] : [] };
  }
  const key = address.slice(address.indexOf('/') + 1);
  const label = 'name' in object.payload ? object.payload.name : key;
  const exists = external === undefined ? [] : ['exists already'];
  return { address, kind, label, about: [label === key ? kind : `${kind} ${key}`, ...exists] };
}

function drawItem({ key, payload }: GraphItem, address: Address): Omit<DrawnNode, 'status'> {
  const { post_type, metadata, descriptions } = payload;
  const [caption = ''] = descriptions;
  const name = key ?? (caption || `post ${address.slice(address.lastIndexOf('/') + 1)}`);
  const more = caption && caption !== name ? [caption] : [];
  return { address, kind: 'media', label: name, about: [`${post_type} ${metadata.aspect_ratio}`, ...more] };
}
