import { execFile } from 'node:child_process';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type AppliedCampaign, applyCampaign, type EditedCampaign, openCampaign } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

const NOTHING = 'spring · default · HOST · spring.default.state.jsonl · 15 known nodes\n\nNo changes.\n';

/** A plan with nothing to do, and an apply without a single request. */
async function expectNothing(campaign: EditedCampaign): Promise<void> {
  expect(await campaign.plan()).toBe(NOTHING);
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 0, requests: [] });
}

/** The manifest as data, changed and written again. */
async function rewrite(campaign: EditedCampaign, change: (manifest: Manifest) => unknown): Promise<void> {
  const manifest = parse(await campaign.read('campaign.yaml')) as Manifest;
  await campaign.write('campaign.yaml', stringify(change(manifest)));
}

interface Manifest {
  readonly products: Record<string, object>;
  readonly concepts: Record<string, object>;
  readonly posts: Record<string, { readonly matrix?: object; readonly items: readonly object[] }>;
}

function reversed(record: object): object {
  return Object.fromEntries(Object.entries(record).reverse());
}

describe('nothing is sent for', () => {
  it('no edit at all', async () => {
    const campaign = await applied.copy();
    expect(await campaign.planJson()).toBe(`format_version: "1.0"
changes: []
requests: []
held: []
kept: []
left_alone: []
not_selected: 0
summary: {"create":0,"update":0,"replace":0,"delete":0,"move":0,"unchanged":15}
pending: 0
to_download: 0
looked_for: []
failed: 0
gone: []
unknown: 0
new_posts: 0
over_budget: []
cost: null`);
    await expectNothing(campaign);
  });

  it('products, concepts, posts, items and all other keys in another order', async () => {
    const campaign = await applied.copy();
    await rewrite(campaign, (manifest) => {
      const posts = Object.entries(manifest.posts).map(([key, post]) => {
        const items = post.items.map(reversed).reverse();
        return [key, reversed({ ...post, items })] as const;
      });
      return reversed({
        ...manifest,
        products: reversed(manifest.products),
        concepts: reversed(manifest.concepts),
        posts: reversed(Object.fromEntries(posts)),
      });
    });
    await expectNothing(campaign);
  });

  it('matrix keys and values in another order', async () => {
    const campaign = await applied.copy();
    await campaign.change(
      'matrix: { concept: [morning, night], product: "*" }',
      'matrix: { product: [mug, tote], concept: [night, morning] }',
    );
    await expectNothing(campaign);
  });

  it('comments, blank lines and quotes', async () => {
    const campaign = await applied.copy();
    await campaign.change('posts:', '# What we post this spring\n\nposts: # all of it');
    await campaign.change('description: Stoneware', "description: 'Stoneware' # glazed");
    await campaign.change('Neon, wet asphalt', '>-\n      Neon,\n      wet asphalt');
    await expectNothing(campaign);
  });

  it('another style of YAML', async () => {
    const campaign = await applied.copy();
    const manifest = parse(await campaign.read('campaign.yaml')) as object;
    await campaign.write('campaign.yaml', JSON.stringify(manifest, null, 4));
    await expectNothing(campaign);
    await campaign.write('campaign.yaml', stringify(manifest, { indent: 4, lineWidth: 20 }));
    await expectNothing(campaign);
  });

  it('anchors instead of repetition', async () => {
    const campaign = await applied.copy();
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: &square "1:1" }\n');
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: *square }\n');
    await expectNothing(campaign);
  });

  it('other modification times', async () => {
    const campaign = await applied.copy();
    for (const entry of await readdir(campaign.folder, { recursive: true }))
      await utimes(join(campaign.folder, entry), 1_000_000_000, 1_000_000_000);
    await expectNothing(campaign);
  });

  it('a fresh clone, without the work folder and the pictures', async () => {
    const campaign = await applied.copy();
    await campaign.write('.gitignore', 'out/\n');
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: campaign.folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_CONFIG_SYSTEM: '/dev/null',
        },
      });
    await git('init', '--quiet');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'spring');
    await git('clone', '--quiet', '.', 'clone');
    const clone = openCampaign(join(campaign.folder, 'clone'), applied.service);
    expect((await clone.files('.')).filter((file) => !file.startsWith('.git/'))).toEqual([
      '.gitignore',
      'campaign.yaml',
      'photos/tote/1-front.png',
      'photos/tote/2-side.png',
      'refs/linen.png',
      'shots/cup.png',
      'spring.default.state.jsonl',
    ]);
    await expectNothing(clone);
  });

  it('the short form rewritten as the guide form', async () => {
    const campaign = await applied.copy();
    await campaign.change(
      'products: [tote, mug], aspect_ratio: "4:5"',
      'assets: [{ type: product, product_id: tote }, { type: product, product_id: mug }], metadata: { aspect_ratio: "4:5" }',
    );
    await expectNothing(campaign);
  });

  it('the short form rewritten as the schema form', async () => {
    const campaign = await applied.copy();
    await campaign.change('concept: morning\n', 'content_pillar: morning\n    number_of_posts: 3\n');
    await campaign.change(
      'products: [tote, mug], aspect_ratio: "4:5", descriptions: [On a chair]',
      'assets: [{ type: product, product_id: tote }, { type: product, product_id: mug }], variants: [], descriptions: [{ description: On a chair }], metadata: { aspect_ratio: "4:5" }',
    );
    await campaign.change(
      'products: [tote], aspect_ratio: "9:16", variants: [clean]',
      'assets: [{ type: product, product_id: tote }], variants: [clean], descriptions: [], metadata: { aspect_ratio: "9:16" }',
    );
    await expectNothing(campaign);
  });

  it('what is left to a default under `defaults`', async () => {
    const campaign = await applied.copy();
    await campaign.change(/, aspect_ratio: "1:1"/g, '');
    await campaign.change('concepts:\n', 'defaults: { item: { aspect_ratio: "1:1" } }\nconcepts:\n');
    await expectNothing(campaign);
  });

  it('names written that equal the default', async () => {
    const campaign = await applied.copy();
    await campaign.write('photos/tote/product.yaml', 'name: tote\nvariant: product_with_label\n');
    await campaign.change('    images:', '    name: mug\n    images:');
    await campaign.change('  night:\n', '  night:\n    name: night\n');
    await expectNothing(campaign);
  });

  it('photos under other names in the same order, and one that is there twice', async () => {
    const campaign = await applied.copy();
    await campaign.rename('photos/tote/1-front.png', 'photos/tote/a.png');
    await campaign.rename('photos/tote/2-side.png', 'photos/tote/b.jpg');
    await campaign.rename('shots/cup.png', 'shots/mug.png');
    await campaign.change('shots/cup.png', 'shots/mug.png');
    await expectNothing(campaign);
  });
});
