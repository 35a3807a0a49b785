/** Two rows of a table exchange their keys: the posts, their verdicts and their files go with their products. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { type EditedCampaign, openCampaign, photo } from './edited-campaign.ts';

const MANIFEST = `version: 1
name: spring
product_tables: [shop.csv]
concepts:
  morning: { description: "Soft light" }
posts:
  grid:
    matrix: { product: "*" }
    concept: morning
    items:
      - { key: front, post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1" }
`;
const table = (...[bag, cup]: [string, string]) =>
  `sku,title,description,images\n${bag},Bag,Canvas,front.png\n${cup},Cup,Stoneware,cup.png\n`;

let root: string;
let service: BareService;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campaign-exchanged-'));
  service = await startBareService({ pendingPolls: 0 });
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

interface Output {
  readonly post: string;
  readonly path: string;
  readonly media_id: string;
  readonly sha256: string;
}

/** By the address: the id of the post and what is in its file, which is what was downloaded. */
async function outputs(campaign: EditedCampaign): Promise<Map<string, string>> {
  const { files } = JSON.parse(await campaign.read('out/spring/default/index.json')) as { files: Output[] };
  const rows = files.map(async ({ path, media_id: id, sha256 }) => {
    const content = createHash('sha256')
      .update(await readFile(join(campaign.folder, path)))
      .digest('hex');
    expect(content).toBe(sha256);
    return [path.replace(/^.*\/grid\//, ''), `${id} ${sha256}`] as const;
  });
  return new Map(await Promise.all(rows));
}

async function applied(name: string): Promise<EditedCampaign> {
  const campaign = openCampaign(join(root, name), service);
  await campaign.write('campaign.yaml', MANIFEST);
  await campaign.write('shop.csv', table('A-1', 'B-2'));
  await campaign.write('front.png', await photo('front'));
  await campaign.write('cup.png', await photo('cup'));
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 2 });
  return campaign;
}

it('is a pair of moves, without a question and without a new post', async () => {
  const campaign = await applied('exchanged');
  const before = await outputs(campaign);
  expect(await campaign.run(['approve', 'campaign.yaml', 'media/grid/a-1/front'])).toMatchObject({ code: 0 });
  await campaign.write('shop.csv', table('B-2', 'A-1'));
  const { text, sent } = await campaign.settle('--yes');
  expect(text).toMatchInlineSnapshot(`
    "spring · default · HOST · spring.default.state.jsonl · 7 known nodes

        > product/b-2 → product/a-1
        > product/a-1 → product/b-2
        > media/grid/a-1/front → media/grid/b-2/front
        > media/grid/b-2/front → media/grid/a-1/front
        > out/spring/default/grid/b-2/front-image.png → out/spring/default/grid/a-1/front-image.png
        > out/spring/default/grid/a-1/front-image.png → out/spring/default/grid/b-2/front-image.png

    Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 4 to move. 0 new posts.
    "
  `);
  expect(sent).toMatchInlineSnapshot(`
    "exit 0
    0 new posts"
  `);
  const after = await outputs(campaign);
  expect(after.get('a-1/front-image.png')).toBe(before.get('b-2/front-image.png'));
  expect(after.get('b-2/front-image.png')).toBe(before.get('a-1/front-image.png'));
  expect(await campaign.files('out/spring/default')).toEqual([
    'grid/a-1/front-image.png',
    'grid/b-2/front-image.png',
    'index.json',
  ]);
  const { stdout } = await campaign.run(['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ done: 2, approved: 1 });
  // The bag is the one that was approved, under whatever key.
  await campaign.change('Soft light', 'Neon');
  expect(await campaign.plan()).toContain('✓ media/grid/b-2/front  kept: approved');
});

it('is finished by the next apply, also where a power cut has left only the record of the moves (scenario 43)', async () => {
  const campaign = await applied('cut');
  const before = await outputs(campaign);
  const log = 'spring.default.state.jsonl';
  await campaign.write('shop.csv', table('B-2', 'A-1'));
  const start = await campaign.read(log);
  const base = join(root, 'base');
  await cp(campaign.folder, base, { recursive: true });
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 0 });
  const lines = (await campaign.read(log)).slice(start.length).split('\n');
  const moved = lines.flatMap((line, index) => (line.includes('"type":"moved"') ? index : []));
  expect(moved).toHaveLength(1);
  for (const last of moved) {
    const folder = join(root, `cut-${last}`);
    await cp(base, folder, { recursive: true });
    const left = openCampaign(folder, service);
    await left.write(log, `${start}${lines.slice(0, last + 1).join('\n')}\n`);
    expect(await left.apply()).toMatchObject({ code: 0, posts: 0 });
    const after = await outputs(left);
    expect(after.get('a-1/front-image.png')).toBe(before.get('b-2/front-image.png'));
    expect(after.get('b-2/front-image.png')).toBe(before.get('a-1/front-image.png'));
  }
});

it('asks about an edit, and not any more once the post is exactly what another item asks for', async () => {
  const campaign = await applied('given-on');
  const front = (product: string, ratio: string) =>
    `{ key: main, post_type: image, products: [${product}], aspect_ratio: "${ratio}" }`;
  const posts = (...[one, two]: [string, string]) =>
    `  one: { concept: morning, items: [${one}] }\n  two: { concept: morning, items: [${two}] }\n`;
  const video = '{ post_type: video, products: [a-1], aspect_ratio: "9:16" }';
  const image = '{ post_type: image, products: [a-1], aspect_ratio: "1:1" }';
  const manifest = MANIFEST.slice(0, MANIFEST.indexOf('  grid:'));
  await campaign.write('campaign.yaml', manifest + posts(front('a-1', '1:1'), video));
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 1 });
  await campaign.write('campaign.yaml', manifest + posts(front('b-2', '4:5'), video));
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  await campaign.write('campaign.yaml', manifest + posts(front('b-2', '4:5'), image));
  // What it was is exactly the other one's now, and the video shows another product: nothing holds it up.
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 1 });
});
