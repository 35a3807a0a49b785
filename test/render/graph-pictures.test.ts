import { describe, expect, it } from 'vitest';
import { dotText } from '../../src/render/graph-dot.ts';
import { mermaidText } from '../../src/render/graph-mermaid.ts';
import { svgText } from '../../src/render/graph-svg.ts';
import { collapseGraph, type Picture } from '../../src/views/collapse-graph.ts';
import { drawGraph } from '../../src/views/draw-graph.ts';
import { GRAPH_STATUSES, type GraphStatus } from '../../src/views/graph-status.ts';
import { graphOf } from '../support/campaign.ts';

const graph = drawGraph(
  graphOf({
    products: {
      tote: { photos: ['front'], name: 'Canvas tote' },
      mug: { id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' },
    },
    concepts: { morning: {} },
    posts: {
      hero: {
        items: [
          { key: 'kitchen', products: ['tote', 'mug'], descriptions: ['Tote & "mug"'] },
          { type: 'video', ratio: '9:16', descriptions: ['Slow turn'] },
          { type: 'carousel' },
        ],
      },
      'cups/a+2026-w47': { concept: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f', items: [] },
    },
  }),
);
const PICTURE = collapseGraph(graph, 'fit');

/** A picture of one box with these texts. */
function boxOf(title: string, statuses: readonly GraphStatus[] = []): Picture {
  const counts = statuses.map((status) => ({ status, count: 2 }));
  const box = { id: 'media/a/1', kind: 'media', title, lines: ['image 1:1'], isGroup: true } as const;
  return { boxes: [{ ...box, statuses: counts }], arrows: [], together: [] };
}

describe('Mermaid', () => {
  it('has a box for each node, with names that people know', () => {
    expect(mermaidText(PICTURE, 'spring')).toBe(`---
title: "spring"
---
%% campaign graph
flowchart LR
  n1["front.jpg<br/>photos"]
  n2["Canvas tote<br/>product tote"]
  n3["mug<br/>product<br/>exists already"]
  n4["morning<br/>concept"]
  n5["hero<br/>request of 3 posts"]
  n6["kitchen<br/>image 1:1<br/>Tote #38; #34;mug#34;"]
  n7["Slow turn<br/>video 9:16"]
  n8["post 2<br/>carousel 1:1"]
  n9["cups/a+2026-w47<br/>request of 0 posts"]
  n1 --> n2
  n4 --> n5
  n2 --> n5
  n5 --> n6
  n5 --> n7
  n5 --> n8
`);
  });

  it('has words and a legend for colours, and says what is drawn together', () => {
    const picture = { ...boxOf('grid', ['failed', 'given_up']), together: ['4 posts of 1 post plan'] };
    expect(mermaidText(picture, 'spring · stage')).toBe(`---
title: "spring · stage"
---
%% campaign graph
flowchart LR
  n1[["grid<br/>image 1:1<br/>✗ 2 failed, – 2 given up"]]:::failed
  subgraph legend["Legend"]
    legend1["– given up"]:::givenup
    legend2["✗ failed"]:::failed
  end
  note1["Drawn together: 4 posts of 1 post plan. With --all, each has a box.<br/>A box of several has the colour of what is most urgent in it."]:::note
  classDef note fill:#ffffff,stroke:#6b7280,color:#111827,stroke-dasharray:4
  classDef givenup fill:#e7e5e4,stroke:#57534e,color:#111827
  classDef failed fill:#fee2e2,stroke:#b91c1c,color:#111827
`);
  });

  it('says where there is nothing', () => {
    const nothing = collapseGraph({ nodes: [], edges: [] }, 'fit');
    expect(mermaidText(nothing, 'spring')).toContain('note1["The manifest asks for nothing yet."]:::note');
  });

  // Each was tried with Mermaid's own parser and renderer (11.17): what is written here is shown as it was typed.
  it.each([
    ['end', 'end'],
    ['a "b" <img src=x> &lt; #35;', 'a #34;b#34; #60;img src#61;x#62; #38;lt; #35;35;'],
    ['%%{init: {}}%%', '#37;#37;#123;init: #123;#125;#125;#37;#37;'],
    ['`a` *b* _c_ ~d~', '#96;a#96; #42;b#42; #95;c#95; #126;d#126;'],
    ['[a](https://b) www.c.com d@e', '#91;a#93;(https#58;//b) www#46;c.com d#64;e'],
    ['1. first 2. second', '1#46; first 2. second'],
    ['12) x', '12#41; x'],
    ['- a-b', '#45; a-b'],
    ['$$x$$ 5$', '$ $x$ $ 5$'],
    ['fa:fa-camera', 'fa: fa-camera'],
    ['style n1 fill:#f00;', '#115;#116;#121;#108;#101; n1 fill:#35;f00;'],
    ['4:5; front.jpg', '4:5; front.jpg'],
  ])('shows %j as text', (text, written) => {
    expect(mermaidText(boxOf(text), 'x')).toContain(`n1[["${written}<br/>image 1:1"]]\n`);
  });
});

describe('DOT', () => {
  it('has a box for each node', () => {
    const hostile = 'a "b" \\N &amp; <c>';
    expect(dotText(boxOf(hostile, ['done', 'missing']), 'x & <y>')).toBe(`digraph campaign {
  graph [rankdir=LR, bgcolor=white, pad=0.3, nodesep=0.15, ranksep=0.6, fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#111827", labelloc=t, labeljust=l];
  node [shape=box, style="rounded,filled", fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#111827", color="#6b7280", margin="0.15,0.08"];
  edge [color="#6b7280", arrowsize=0.6];
  label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="3"><tr><td align="left"><font point-size="16"><b>x &#38; &#60;y&#62;</b></font></td></tr><tr><td align="left"><table border="0" cellborder="0" cellspacing="6" cellpadding="4"><tr><td bgcolor="#dcfce7" color="#15803d" border="1" align="left" width="62">✓ done</td><td bgcolor="#ffffff" color="#6b7280" border="1" align="left" width="86">○ missing</td><td> </td></tr></table></td></tr><tr><td align="left">A box of several has the colour of what is most urgent in it.</td></tr><tr><td align="left"> </td></tr></table>>;
  "media/a/1" [label="a \\"b\\" \\\\N &amp;amp; <c>\\nimage 1:1\\n✓ 2 done, ○ 2 missing", width=2.20, fillcolor="#dcfce7", color="#15803d", peripheries=2];
}
`);
  });
});

/** Texts of an SVG as a browser shows them. */
function textsOf(svg: string): string[] {
  const codes = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/&(lt|gt|amp|quot);/g, (_, name: keyof typeof codes) => codes[name])
      .replaceAll('\u00a0', ' ')
      .trim(),
  );
}

describe('SVG', () => {
  it('is the same for the same campaign, on white, and has what DOT says', async () => {
    const dot = dotText(PICTURE, 'spring');
    const [svg, again] = [await svgText(dot), await svgText(dot)];
    expect(svg).toBe(again);
    expect(svg).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<!-- campaign graph -->\n<svg /);
    expect(svg).toContain('<polygon fill="white" stroke="none"');
    expect(svg).not.toMatch(/<!DOCTYPE|<script|<image|<a /);
    expect(svg.match(/class="node"/g)).toHaveLength(PICTURE.boxes.length);
    expect(svg.match(/class="edge"/g)).toHaveLength(PICTURE.arrows.length);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['spring', 'front.jpg', 'kitchen', 'Tote & "mug"']));
  });

  it('shows hostile names as they are, without what moves a cursor or reverses text', async () => {
    const hostile = [
      'end',
      'a "b" \\N \\G \\l <img src=x onerror=alert(1)> &lt;',
      '\u001b]52;c;x\u0007\u202eabc\u009b2J\ndef',
      'שלום 日本語 😀',
      ']]> --> <!--',
      '\u202e',
    ];
    const boxes = hostile.flatMap((name, n) =>
      boxOf(name, [...GRAPH_STATUSES]).boxes.map((box) => ({ ...box, id: `media/a/${n}` })),
    );
    const texts = textsOf(await svgText(dotText({ boxes, arrows: [], together: [] }, '<x> & "y"')));
    expect(texts.filter((text) => text && !/^image 1:1$|^. 2 /.test(text))).toEqual([
      '<x> & "y"',
      '· not needed',
      '✓ done',
      '– given up',
      '○ missing',
      '‖ blocked',
      '… pending',
      '↻ out of date',
      '? unknown',
      '✗ gone',
      '✗ failed',
      'A box of several has the colour of what is most urgent in it.',
      'end',
      'a "b" \\N \\G \\l <img src=x onerror=alert…',
      'abc def',
      'שלום 日本語 😀',
      ']]> --> <!--',
      'media/a/5',
    ]);
  });
});
