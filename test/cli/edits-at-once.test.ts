/** Several edits of one campaign, of which each alone would be recognised: folders on the disk, texts, formats and keys. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

const GRID = /aspect_ratio: "1:1" \}\n$/;
const WIDE = 'aspect_ratio: "16:9", descriptions: [On a table] }\n';

it('a folder and a post plan with another name, and another format and text, are asked about', async () => {
  const campaign = await applied.copy();
  await campaign.rename('photos/tote', 'photos/bag');
  await campaign.change('products: [tote, mug]', 'products: [bag, mug]');
  await campaign.change('products: [tote]', 'products: [bag]');
  await campaign.change('  grid:', '  wall:');
  await campaign.change(GRID, WIDE);
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
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
