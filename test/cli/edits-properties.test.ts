/** Rules for every manifest as text: from YAML on disk to the plan, without a service. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { hashImages } from '../../src/files/hash-images.ts';
import { buildGraph } from '../../src/graph/build-graph.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { planJson } from '../../src/render/plan-json.ts';
import { planText } from '../../src/render/plan-text.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { jsonLine } from '../../src/util/inert-json.ts';
import { realDisk } from '../../src/util/disk.ts';
import { applied, plain, planGraph } from '../support/play-plan.ts';
import { PLAIN } from '../support/plain-style.ts';
import { photo } from './edited-campaign.ts';
import { IS_FULL } from '../sweep/stride.ts';

const SEEDED = { numRuns: IS_FULL ? 60 : 20, seed: 20_260_301 };
const PRODUCTS = ['tote', 'mug'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-properties-'));
  for (const [index, word] of (['front', 'side', 'cup', 'linen'] as const).entries()) {
    const product = join(folder, 'photos', PRODUCTS[index % 2] ?? '');
    await mkdir(product, { recursive: true });
    await writeFile(join(product, `${index}.png`), await photo(word));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Item {
  readonly key?: string;
  readonly product: string;
  readonly type: string;
  readonly ratio: string;
  readonly words?: string;
}

interface Campaign {
  /** Descriptions by key; different ones, so that every rename is clear. */
  readonly products: Readonly<Record<string, string>>;
  readonly concepts: Readonly<Record<string, string>>;
  readonly posts: Readonly<Record<string, { readonly concept: string; readonly items: readonly Item[] }>>;
  /** A post for every product, in a matrix under this key. */
  readonly matrix: string;
}

const item: fc.Arbitrary<Item> = fc.record(
  {
    product: fc.constantFrom(...PRODUCTS),
    type: fc.constantFrom('image', 'video', 'carousel'),
    ratio: fc.constantFrom('1:1', '4:5'),
    words: fc.constantFrom('On a chair', 'slow: turn', '"quoted" # not a comment'),
  },
  { requiredKeys: ['product', 'type', 'ratio'] },
);
const items = fc
  .array(fc.tuple(item, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([words, hasKey], index) => (hasKey ? { ...words, key: `k${index}` } : words)));
const post = fc.record({ concept: fc.constantFrom('morning', 'night'), items });
const campaign: fc.Arbitrary<Campaign> = fc.record({
  products: fc.constant({ tote: 'Canvas', mug: 'Stoneware' }),
  concepts: fc.record({ morning: fc.constantFrom('Soft', 'Pale'), night: fc.constantFrom('Neon', 'Dark') }),
  posts: fc.dictionary(fc.constantFrom('hero', 'top', 'story'), post, { maxKeys: 3 }),
  matrix: fc.constant('grid'),
});

/** How a manifest is written, whatever it means. */
interface Spelling {
  readonly form: 'short' | 'guide' | 'schema';
  readonly yaml: 'block' | 'wide' | 'json' | 'commented';
  readonly order: 'written' | 'reversed';
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  form: fc.constantFrom('short', 'guide', 'schema'),
  yaml: fc.constantFrom('block', 'wide', 'json', 'commented'),
  order: fc.constantFrom('written', 'reversed'),
});
const PLAINLY: Spelling = { form: 'short', yaml: 'block', order: 'written' };

function spellItem({ key, product, type, ratio, words }: Item, form: Spelling['form']): object {
  const common = { ...(key === undefined ? {} : { key }), post_type: type };
  if (form === 'short') {
    const descriptions = words === undefined ? {} : { descriptions: [words] };
    return { ...common, products: [product], aspect_ratio: ratio, ...descriptions };
  }
  const descriptions = words === undefined ? [] : [{ description: words }];
  const guide = {
    ...common,
    assets: [{ type: 'product', product_id: product }],
    metadata: { aspect_ratio: ratio },
  };
  return form === 'schema' || descriptions.length ? { ...guide, variants: [], descriptions } : guide;
}

function spell({ products, concepts, posts, matrix }: Campaign, { form, yaml, order }: Spelling): string {
  const turned = <T>(list: readonly T[]) => (order === 'reversed' ? list.toReversed() : list);
  const all = <T>(record: Readonly<Record<string, T>>, write: (value: T, key: string) => object) =>
    Object.fromEntries(
      turned(Object.entries(record).map(([key, value]) => [key, write(value, key)] as const)),
    );
  const folders = Object.fromEntries(
    Object.keys(products).map((key, index) => [key, `photos/${PRODUCTS[index]}`]),
  );
  const manifest = {
    version: 1,
    name: 'random',
    service: {
      environments: { test: { base_url: 'https://visuals.example.com' } },
      default_environment: 'test',
    },
    products: all(products, (description, key) => ({ images: folders[key], description })),
    concepts: all(concepts, (description) => ({ description })),
    posts: {
      ...all(posts, ({ concept, items: list }) => ({
        concept,
        items: turned(list).map((each) => spellItem(each, form)),
      })),
      [matrix]: {
        matrix: { product: turned(Object.keys(products)) },
        concept: Object.keys(concepts)[0],
        items: [{ post_type: 'image', products: ['${{ matrix.product }}'], aspect_ratio: '1:1' }],
      },
    },
  };
  const written = Object.fromEntries(turned(Object.entries(manifest)));
  switch (yaml) {
    case 'json':
      return JSON.stringify(written);
    case 'wide':
      return stringify(written, { indent: 6, defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' });
    case 'commented':
      return `# by hand\n${stringify(written).replaceAll('\n', '\n# more\n')}`;
    case 'block':
      return stringify(written);
  }
}

/** From the text of a manifest to what plans are made of. */
async function graphOf(text: string): Promise<Graph> {
  const file = join(folder, 'campaign.yaml');
  await writeFile(file, text);
  const loaded = await loadManifest({
    file,
    variables: new Map(),
    outside: 'refuse',
    need: 'environment',
    today: () => '2026-11-22',
    disk: realDisk,
  });
  if (!loaded.ok) throw new Error(`${JSON.stringify(loaded.error)}\n${text}`);
  const { manifest } = loaded.value;
  const files = manifest.products.flatMap(({ images }) =>
    images.flatMap((image) => ('file' in image ? image.file : [])),
  );
  const hashed = await hashImages({
    disk: realDisk,
    folder,
    files,
    cacheFile: join(folder, '.campaign', 'stat-cache.json'),
  });
  if (!hashed.ok) throw new Error(JSON.stringify(hashed.error));
  return buildGraph(manifest, hashed.value);
}

/** All that users and machines see of a plan. */
function shown(graph: Graph, state: RunState): string {
  const plan = planGraph(graph, state);
  return `${planText(plan, { campaign: { locate: () => undefined, target: '' }, style: PLAIN })}${[...jsonLine(planJson(plan, () => undefined))].join('')}`;
}

async function applyText(text: string, before: FoldState = emptyState()): Promise<FoldState> {
  return applied(planGraph(await graphOf(text), before), before);
}

/** One key of a kind, written otherwise wherever it stands. */
function renamed(words: Campaign, what: Renamed): Campaign {
  const swap = (key: string) => (key === what.from ? what.to : key);
  const keys = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [swap(key), value]));
  const rename = (each: Item): Item => ({
    ...each,
    product: swap(each.product),
    ...(each.key === undefined ? {} : { key: swap(each.key) }),
  });
  const posts = Object.entries(words.posts).map(([key, { concept, items: list }]) => [
    swap(key),
    { concept: swap(concept), items: list.map(rename) },
  ]);
  return {
    products: keys(words.products),
    concepts: keys(words.concepts),
    posts: Object.fromEntries(posts) as Campaign['posts'],
    matrix: swap(words.matrix),
  };
}

interface Renamed {
  readonly from: string;
  readonly to: string;
}

const rename: fc.Arbitrary<Renamed> = fc.constantFrom(
  { from: 'tote', to: 'bag' },
  { from: 'mug', to: 'beaker' },
  { from: 'morning', to: 'dawn' },
  { from: 'night', to: 'dusk' },
  { from: 'grid', to: 'wall' },
);

describe('for every manifest', () => {
  it('a plan after an apply says that nothing changed, however the manifest is written by then', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, spelling, spelling, async (words, before, after) => {
        const state = await applyText(spell(words, before));
        expect(shown(await graphOf(spell(words, after)), state)).toMatch(/^No changes\.\n/);
      }),
      SEEDED,
    );
  });

  it('an edit is applied once', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, campaign, spelling, async (before, after, style) => {
        const text = spell(after, style);
        const state = await applyText(text, await applyText(spell(before, PLAINLY)));
        const plan = planGraph(await graphOf(text), state);
        expect(plain(plan)).toMatchObject({
          nodes: [],
          moves: [],
          newPosts: 0,
          held: [],
          failed: [],
          unknown: [],
        });
      }),
      SEEDED,
    );
  });

  it('a rename alone sends nothing', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, rename, spelling, async (words, what, style) => {
        const state = await applyText(spell(words, PLAINLY));
        const plan = planGraph(await graphOf(spell(renamed(words, what), style)), state);
        expect(plain(plan)).toMatchObject({ nodes: [], newPosts: 0, held: [], leftAlone: [] });
        expect(plan.moves.length).toBeGreaterThan(0);
      }),
      SEEDED,
    );
  });

  it('two plans of the same files and state are the same, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, campaign, async (before, after) => {
        const state = await applyText(spell(before, PLAINLY));
        const text = spell(after, PLAINLY);
        expect(shown(await graphOf(text), state)).toBe(shown(await graphOf(text), structuredClone(state)));
      }),
      SEEDED,
    );
  });
});
