import { describe, expect, it } from 'vitest';
import { drawGraph } from '../../src/views/graph-edges.ts';
import { dotText, mermaidText } from '../../src/render/graph-text.ts';
import { graphOf, upload } from '../support/campaign.ts';

const graph = graphOf({
  products: { tote: { photos: ['front'] }, mug: { id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' } },
  concepts: { morning: {} },
  posts: {
    hero: {
      items: [
        { key: 'kitchen', products: ['tote', 'mug'] },
        { type: 'video', ratio: '9:16' },
      ],
    },
    cups: { concept: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f', items: [] },
  },
});

describe('a drawn graph', () => {
  it('is Mermaid', () => {
    expect(mermaidText(drawGraph(graph))).toBe(`graph LR
  n1["photos/front.jpg"]
  n2["product/tote"]
  n3["product/mug"]
  n4["concept/morning"]
  n5["media-config/hero"]
  n6["media/hero/kitchen · image 1:1"]
  n7["media/hero/1 · video 9:16"]
  n8["media-config/cups"]
  n1 --> n2
  n4 --> n5
  n2 --> n5
  n5 --> n6
  n5 --> n7
`);
  });

  it('is DOT', () => {
    const drawn = {
      nodes: [
        { address: 'upload/1', label: 'a "b" \\.jpg' },
        { address: 'product/tote', label: 'product/tote' },
      ],
      edges: [{ from: 'upload/1', to: 'product/tote' }],
    };
    expect(dotText(drawn)).toBe(`digraph campaign {
  rankdir=LR;
  node [shape=box];
  "upload/1" [label="a \\"b\\" \\\\.jpg"];
  "product/tote" [label="product/tote"];
  "upload/1" -> "product/tote";
}
`);
    expect(mermaidText(drawn)).toContain('n1["a #34;b#34; \\.jpg"]');
  });

  it('shows no markup and nothing that moves a cursor, whatever a photo is called', () => {
    const label = 'a\u001b]52;c;ZXZpbA==\u0007"]\n\u202e<img src=x onerror=alert(1)>&#35;\u009b2J.jpg';
    const drawn = { nodes: [{ address: 'upload/1', label }], edges: [] };
    expect(mermaidText(drawn)).toBe(
      'graph LR\n  n1["a#34;] #60;img src=x onerror=alert(1)#62;#38;#35;35;.jpg"]\n',
    );
    expect(dotText(drawn)).toContain('label="a\\"] <img src=x onerror=alert(1)>&#35;.jpg"');
  });

  it('names every node that an edge names', () => {
    const { nodes, edges } = drawGraph(graph);
    const known = new Set(nodes.map(({ address }) => address));
    expect(known.has(upload('front'))).toBe(true);
    for (const { from, to } of edges) expect([known.has(from), known.has(to)]).toEqual([true, true]);
  });
});
