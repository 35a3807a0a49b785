/** Several edits of one campaign, of which each alone would be recognised: folders on the disk, texts, formats and keys. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, type EditedCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

const GRID = /aspect_ratio: "1:1" \}\n$/;
const WIDE = 'aspect_ratio: "16:9", descriptions: [On a table] }\n';

/** How many events of a type the log has. */
async function noted(campaign: EditedCampaign, type: string): Promise<number> {
  const log = await campaign.read('spring.default.state.jsonl');
  return log.split(`"type":"${type}"`).length - 1;
}

it('a folder and a post plan with another name, and another format and text, are asked about', async () => {
  const campaign = await applied.copy();
  await campaign.rename('photos/tote', 'photos/bag');
  await campaign.change('products: [tote, mug]', 'products: [bag, mug]');
  await campaign.change('products: [tote]', 'products: [bag]');
  await campaign.change('  grid:', '  wall:');
  await campaign.change(GRID, WIDE);
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  expect(await noted(campaign, 'edit-left')).toBe(4);
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 4 });
  expect(await campaign.apply()).toMatchObject({ code: 0, requests: [] });
});

it('a folder with another name, and another product in its place, buys the posts of that one only', async () => {
  const campaign = await applied.copy();
  await campaign.rename('photos/tote', 'photos/tote-2025');
  await campaign.write('photos/tote/new.png', await photo('new'));
  await campaign.change('products: [tote, mug]', 'products: [tote-2025, mug]');
  await campaign.change('products: [tote]', 'products: [tote-2025]');
  await campaign.change(GRID, WIDE);
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 2 });
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 4 });
});

it('edits that nobody agreed to pile up, and the post is still known under another name', async () => {
  const campaign = await applied.copy();
  await campaign.change('[On a chair]', '[On a bench]');
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  await campaign.change(
    'products: [tote, mug], aspect_ratio: "4:5"',
    'products: [mug], aspect_ratio: "16:9"',
  );
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  expect(await noted(campaign, 'edit-left')).toBe(2);
  await campaign.change('  hero:', '  opening:');
  await campaign.change('key: kitchen', 'key: bench');
  expect(await campaign.plan()).toContain('> media/hero/kitchen → media/opening/bench');
  for (let n = 0; n < 2; n += 1) expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  expect(await noted(campaign, 'edit-left')).toBe(2);
  await campaign.change(
    'products: [mug], aspect_ratio: "16:9"',
    'products: [tote, mug], aspect_ratio: "4:5"',
  );
  await campaign.change('[On a bench]', '[On a chair]');
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 0 });
  expect(await noted(campaign, 'edit-left')).toBe(3);
  expect(await campaign.apply()).toMatchObject({ code: 0, requests: [] });
});
