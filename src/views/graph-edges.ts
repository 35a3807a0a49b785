import type { Graph } from '../model/graph.ts';
import { addressesOf, mediaAddress, requestAddress, requestsAddress } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';

export type DrawnGraph = ReturnType<typeof drawGraph>;

/** The graph for drawing: addresses, and what each depends on. Items without a key are numbered as in a first run. */
export function drawGraph(graph: Graph) {
  const nodes = [...graph.objects.values()].map((object) => ({
    address: object.address,
    label: kindHas(object, 'localFiles', 'reads') ? object.payload.file : object.address,
  }));
  const edges = [...graph.objects.values()].flatMap(({ address, dependsOn }) =>
    dependsOn.map((from) => ({ from, to: address })),
  );
  for (const { path, concept, items } of graph.posts) {
    const request = requestAddress(path, 1);
    nodes.push({ address: request, label: requestsAddress(path) });
    const upstream = [...addressesOf([concept]), ...items.flatMap(({ products }) => products)];
    for (const from of new Set(upstream)) edges.push({ from, to: request });
    let number = 0;
    for (const { key, payload } of items) {
      const address = mediaAddress(path, key ?? String(++number));
      nodes.push({ address, label: `${address} · ${payload.post_type} ${payload.metadata.aspect_ratio}` });
      edges.push({ from: request, to: address });
    }
  }
  return { nodes, edges };
}
