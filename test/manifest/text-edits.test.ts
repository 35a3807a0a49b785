/** Each field that puts words into posts, changed: the plan over the state of before. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildGraph } from '../../src/graph/build-graph.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { emptyState } from '../../src/log/fold.ts';
import { realDisk } from '../../src/util/disk.ts';
import { applied, outline, planGraph } from '../support/play-plan.ts';

const FILES = {
  'campaign.yaml': `version: 1
name: x
product_tables: [p.csv]
product_folders: [hats/*]
products: { tote: { vars: { place: kitchen } } }
concepts: { night: { description: Neon, vars: { mood: calm } } }
posts:
  grid:
    matrix:
      concept: [night]
      product: "*"
      include:
        - { concept: night, product: tote, with: { word: new } }
        - { concept: night, product: mug, with: { word: last } }
        - { concept: night, product: hat, with: { word: warm } }
    concept: night
    items:
      - post_type: image
        products: ["\${{ matrix.product }}"]
        aspect_ratio: "1:1"
        descriptions: ["\${{ with.word }} \${{ product.name }} \${{ product.vars.place }} \${{ concept.vars.mood }}"]
`,
  'p.csv':
    'key,name,images,place\ntote,Tote,https://x.example.com/t.jpg,\nmug,Mug,https://x.example.com/m.jpg,table\n',
  'hats/hat/product.yaml': 'images: https://x.example.com/h.jpg\nvars: { place: shelf }\n',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'campaign-texts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function graphWith(files: Readonly<Record<string, string>>): Promise<Graph> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const loaded = await loadManifest({
    disk: realDisk,
    file: path.join(folder, 'campaign.yaml'),
    need: 'nothing',
    variables: new Map(),
    outside: 'refuse',
    today: () => '2026-11-22',
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return buildGraph(loaded.value.manifest, new Map());
}

const again = (product: string) => [
  `+ media-config/grid/night+${product}@2`,
  `-/+ media/grid/night+${product}/1@2`,
];

it.each<[string, keyof typeof FILES, [from: string, to: string], plan: readonly string[]]>([
  ['a text of an entry', 'campaign.yaml', ['place: kitchen', 'place: sofa'], again('tote')],
  ['a text of a table', 'p.csv', ['table', 'desk'], again('mug')],
  ['a text of a product.yaml', 'hats/hat/product.yaml', ['shelf', 'hook'], again('hat')],
  [
    'a text of a concept',
    'campaign.yaml',
    ['mood: calm', 'mood: wild'],
    ['tote', 'mug', 'hat'].flatMap(again),
  ],
  ['a text of a row of include', 'campaign.yaml', ['word: last', 'word: only'], again('mug')],
  ['a column that nothing uses', 'p.csv', ['key,', 'sku,'], []],
  ['a name in a table', 'p.csv', ['Mug', 'Cup'], ['~ product/mug', ...again('mug')]],
  [
    'a key in a table',
    'p.csv',
    ['mug,Mug', 'cup,Mug'],
    ['> product/mug → product/cup', '> media/grid/night+mug/1 → media/grid/night+cup/1'],
  ],
])('%s, changed', async (_, file, [from, to], expected) => {
  const before: FoldState = applied(planGraph(await graphWith(FILES), emptyState()));
  const text = FILES[file].replace(from, to);
  const manifest = { ...FILES, [file]: text };
  // The row of include names the product by its key.
  if (to === 'cup,Mug')
    manifest['campaign.yaml'] = FILES['campaign.yaml'].replace('product: mug', 'product: cup');
  const plan = planGraph(await graphWith(manifest), before);
  expect(outline(plan).sort()).toEqual([...expected].sort());
  expect(outline(planGraph(await graphWith(manifest), applied(plan, before)))).toEqual([]);
});
