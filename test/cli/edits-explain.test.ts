import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AppliedCampaign,
  applyCampaign,
  type EditedCampaign,
  photo,
  withWords,
} from './edited-campaign.ts';

let applied: AppliedCampaign;
let campaign: EditedCampaign;
beforeAll(async () => {
  applied = await applyCampaign(undefined, { failing: ['9:16'] });
  campaign = await edited();
});
afterAll(() => applied.remove());

/** A campaign with an edit of every sort. */
async function edited(): Promise<EditedCampaign> {
  const copy = await applied.copy();
  await copy.write('shots/cup.png', await photo('new'));
  await copy.change(/\bnight\b/g, 'dusk');
  await copy.change(/ {6}- \{ post_type: image, products: \[mug\].*\n/, '');
  await copy.change(
    '  grid:\n',
    '  extra:\n    concept: dusk\n    items:\n      - { key: cover, post_type: image, products: [tote], aspect_ratio: "4:5" }\n  grid:\n',
  );
  return copy;
}

async function explain(address: string): Promise<string> {
  const { code, stdout, stderr } = await campaign.run(['plan', '--explain', address]);
  expect([code, stderr]).toEqual([0, '']);
  return withWords(stdout);
}

describe('plan --explain', () => {
  it('of a new post', async () => {
    expect(await explain('media/extra/cover')).toMatchInlineSnapshot(`
      "media/extra/cover  create
        written at campaign.yaml:23
        because:
          new
        exists: nothing yet
        builds on:
          media-config/extra@1  create
      "
    `);
  });

  it('of a post that would be replaced', async () => {
    expect(await explain('media/hero/kitchen')).toMatchInlineSnapshot(`
      "media/hero/kitchen  replace
        written at campaign.yaml:18
        because:
          product/mug changed (assets[1].product)
            images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6
        exists: take 1, done, requested TIME, out/spring/default/hero/kitchen-image.png
        builds on:
          media-config/hero@2  create
      "
    `);
  });

  it('of an updated product', async () => {
    expect(await explain('product/mug')).toMatchInlineSnapshot(`
      "product/mug  update
        written at campaign.yaml:5
        because:
          images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6
        exists: done ID, since TIME
        builds on:
          upload/<new>  create
      "
    `);
  });

  it('of something unchanged', async () => {
    expect(await explain('product/tote')).toMatchInlineSnapshot(`
      "product/tote  nothing to do
        written at campaign.yaml:3
        exists: done ID, since TIME
        builds on:
          upload/<front>  unchanged
          upload/<side>  unchanged
      "
    `);
    expect(await explain('media/grid/morning+tote/1')).toMatchInlineSnapshot(`
      "media/grid/morning+tote/1  nothing to do
        exists: take 1, done, requested TIME, out/spring/default/grid/morning+tote/1-image.png
        builds on:
          media-config/grid/morning+tote@1  unchanged
      "
    `);
  });

  it('of a rename, by the new address and by the old one', async () => {
    expect(await explain('concept/dusk')).toMatchInlineSnapshot(`
      "concept/dusk  nothing to do
        written at campaign.yaml:12
        moved: concept/night → concept/dusk
        exists: done ID, since TIME
      "
    `);
    expect(await explain('concept/night')).toMatchInlineSnapshot(`
      "concept/night  nothing to do
        moved: concept/night → concept/dusk
        exists: done ID, since TIME
      "
    `);
    expect(await explain('media/grid/dusk+mug/1')).toMatchInlineSnapshot(`
      "media/grid/dusk+mug/1  replace
        written at campaign.yaml:28
        because:
          product/mug changed (assets[0].product)
            images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6
        moved: media/grid/night+mug/1 → media/grid/dusk+mug/1
        exists: take 1, done, requested TIME, out/spring/default/grid/night+mug/1-image.png
        builds on:
          media-config/grid/dusk+mug@2  create
      "
    `);
  });

  it('of a post that failed', async () => {
    expect(await explain('media/hero/2')).toMatchInlineSnapshot(`
      "media/hero/2  nothing to do
        written at campaign.yaml:19
        The generation failed: The model gave up
        exists: take 1, failed, requested TIME
        builds on:
          media-config/hero@1  unchanged
      "
    `);
  });

  it('of what the manifest no longer names', async () => {
    expect(await explain('media/hero/1')).toMatchInlineSnapshot(`
      "media/hero/1  left alone: the manifest no longer names it
        exists: take 1, done, requested TIME, out/spring/default/hero/1-image.png
        builds on:
          media-config/hero@1  unchanged
      "
    `);
  });

  it('of a request', async () => {
    expect(await explain('media-config/hero@2')).toMatchInlineSnapshot(`
      "media-config/hero@2  create
        written at campaign.yaml:15
        exists: nothing yet
        builds on:
          concept/morning  unchanged
          product/tote  unchanged
          product/mug  update
      "
    `);
    expect(await explain('media-config/hero@1')).toMatchInlineSnapshot(`
      "media-config/hero@1  nothing to do
        exists: done ID, since TIME
        builds on:
          concept/morning  unchanged
          product/tote  unchanged
          product/mug  update
      "
    `);
  });

  it('of an address that is not there', async () => {
    const { code, stdout, stderr } = await campaign.run(['plan', '--explain', 'media/grid/kitchen']);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatchInlineSnapshot(`
      "error: No such node [unknown-address]
        media/grid/kitchen is neither in the manifest nor in the state. Did you mean media/hero/kitchen?

      "
    `);
  });

  it('for machines', async () => {
    const { stdout } = await campaign.run(['plan', '--explain', 'media/hero/kitchen', '--json']);
    expect(JSON.parse(await withWords(stdout))).toMatchInlineSnapshot(`
      {
        "action": "replace",
        "address": "media/hero/kitchen",
        "builds_on": [
          "media-config/hero@2",
        ],
        "campaign": "spring",
        "environment": "default",
        "manifest": "campaign.yaml",
        "reasons": [
          {
            "address": "product/mug",
            "field": "images[0]",
            "file": "campaign.yaml",
            "from": "<cup>",
            "line": 6,
            "summary": "changed",
            "to": "<new>",
          },
        ],
      }
    `);
  });
});
