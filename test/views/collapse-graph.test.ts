import { describe, expect, it } from 'vitest';
import type { DrawnGraph, DrawnNode } from '../../src/views/draw-graph.ts';
import { collapseGraph } from '../../src/views/collapse-graph.ts';
import type { GraphStatus } from '../../src/views/graph-status.ts';

interface Size {
  readonly products: number;
  readonly photosEach?: number;
  readonly plans: number;
  readonly requestsEach?: number;
  /** Products that a post plan shows. */
  readonly shown?: number;
  readonly statuses?: readonly GraphStatus[];
}

/** Each request makes one post. */
function campaignOf({ products, photosEach = 1, plans, requestsEach = 1, shown = 1, statuses = [] }: Size) {
  const nodes: DrawnNode[] = [{ address: 'concept/a', kind: 'concept', label: 'A', about: ['concept a'] }];
  const edges: { from: string; to: string }[] = [];
  for (let p = 0; p < products; p++) {
    for (let n = 0; n < photosEach; n++) {
      nodes.push({ address: `upload/${p}-${n}`, kind: 'upload', label: `${n}.jpg`, about: [`photos/${p}`] });
      edges.push({ from: `upload/${p}-${n}`, to: `product/${p}` });
    }
    nodes.push({ address: `product/${p}`, kind: 'product', label: `P${p}`, about: [`product ${p}`] });
  }
  let number = 0;
  for (let plan = 0; plan < plans; plan++)
    for (let r = 0; r < requestsEach; r++) {
      const own = { post_plan: `plan${plan}` };
      const path = `plan${plan}/${r}`;
      const status = statuses[number++ % Math.max(1, statuses.length)];
      const known = status && { status };
      const request = `media-config/${path}@1`;
      nodes.push({ address: request, kind: 'media-config', label: path, about: [], ...own, ...known });
      nodes.push({
        address: `media/${path}/1`,
        kind: 'media',
        label: '1',
        about: ['image 1:1'],
        ...own,
        ...known,
      });
      edges.push({ from: request, to: `media/${path}/1` }, { from: 'concept/a', to: request });
      for (let s = 0; s < Math.min(shown, products); s++)
        edges.push({ from: `product/${(r + s) % products}`, to: request });
    }
  return { nodes, edges } satisfies DrawnGraph;
}

const idsOf = (graph: DrawnGraph) => collapseGraph(graph, 'fit').boxes.map(({ id }) => id);

describe('a picture of a campaign', () => {
  it('has a box for each of 60 nodes, and draws posts by post plan from 61 on', () => {
    const sixty = campaignOf({ products: 1, photosEach: 4, plans: 1, requestsEach: 27 });
    expect(sixty.nodes).toHaveLength(60);
    const whole = collapseGraph(sixty, 'fit');
    expect([whole.boxes.length, whole.together, whole.arrows]).toEqual([60, [], sixty.edges]);

    const more = campaignOf({ products: 1, photosEach: 5, plans: 1, requestsEach: 27 });
    expect(collapseGraph(more, 'all').boxes).toHaveLength(61);
    const { boxes, arrows, together } = collapseGraph(more, 'fit');
    expect(boxes.map(({ id }) => id)).toEqual([
      'concept/a',
      ...[0, 1, 2, 3, 4].map((n) => `upload/0-${n}`),
      'product/0',
      'posts/plan0',
    ]);
    expect(boxes.at(-1)).toMatchObject({ title: 'plan0', lines: ['27 posts', 'image 1:1'], isGroup: true });
    expect(together).toEqual(['27 posts of 1 post plan']);
    expect(arrows.filter(({ to }) => to === 'posts/plan0')).toEqual([
      { from: 'concept/a', to: 'posts/plan0' },
      { from: 'product/0', to: 'posts/plan0' },
    ]);
  });

  it('draws together what has the most boxes, photos first by what they belong to', () => {
    expect(idsOf(campaignOf({ products: 10, photosEach: 9, plans: 2, requestsEach: 30 }))).toEqual([
      'concept/a',
      ...Array.from({ length: 10 }, (_, n) => [`photos/${n + 1}`, `product/${n}`]).flat(),
      'posts/plan0',
      'posts/plan1',
    ]);
    const manyProducts = collapseGraph(campaignOf({ products: 300, plans: 2, requestsEach: 300 }), 'fit');
    expect(manyProducts.boxes).toMatchObject([
      { id: 'concept/a' },
      { id: 'photos', title: '300 photos', lines: ['0.jpg, 0.jpg, 0.jpg, 0.jpg and 296 more'] },
      { id: 'products', title: '300 products', lines: ['P0, P1, P2, P3 and 296 more'] },
      { id: 'posts/plan0' },
      { id: 'posts/plan1' },
    ]);
    expect(manyProducts.together).toEqual(['300 photos', '300 products', '600 posts of 2 post plans']);
    const manyPlans = collapseGraph(campaignOf({ products: 2, plans: 100 }), 'fit');
    expect(manyPlans.boxes.at(-1)).toMatchObject({ id: 'posts', title: '100 post plans' });
    expect(manyPlans.boxes.filter(({ id }) => id.startsWith('product/'))).toHaveLength(2);
  });

  it('draws together what few boxes have too many arrows between', () => {
    const dense = campaignOf({ products: 20, plans: 19, requestsEach: 20, shown: 20 });
    const { boxes, arrows } = collapseGraph(dense, 'fit');
    expect(boxes.map(({ id }) => id)).toContain('products');
    expect(arrows.length).toBeLessThan(60);
  });

  it('counts what has become of the posts in a box, and says which requests were refused', () => {
    const statuses = ['done', 'missing', 'done', 'failed', 'outdated'] as const;
    const graph = campaignOf({ products: 1, plans: 1, requestsEach: 50, statuses });
    expect(collapseGraph(graph, 'fit').boxes.at(-1)?.statuses).toEqual([
      { status: 'failed', count: 10, noun: 'request' },
      { status: 'failed', count: 10 },
      { status: 'outdated', count: 10 },
      { status: 'missing', count: 10 },
      { status: 'done', count: 20 },
    ]);
  });

  it('never has more than 60 boxes, of 0 nodes or of 100,000', () => {
    expect(collapseGraph({ nodes: [], edges: [] }, 'fit')).toEqual({ boxes: [], arrows: [], together: [] });
    // The first has 100,001 nodes.
    const sizes = [
      { products: 20_000, plans: 1_000, requestsEach: 30 },
      { products: 1, photosEach: 400, plans: 3, requestsEach: 100 },
    ];
    for (const size of sizes) {
      const graph = campaignOf(size);
      expect(idsOf(graph).length).toBeLessThanOrEqual(60);
    }
  });
});
