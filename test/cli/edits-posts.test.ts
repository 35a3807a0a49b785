import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

describe('what an edit of concepts, items and matrices costs', () => {
  it('one word in a concept', async () => {
    const campaign = await applied.copy();
    await campaign.change('Soft light', 'Hard light');
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          ~ concept/morning
              description: "Soft light, linen" → "Hard light, linen"  campaign.yaml:10
            3 requests, 5 posts
        -/+ media/hero/kitchen
        -/+ media/hero/1
        -/+ media/hero/2
        -/+ media/grid/morning+tote/1
        -/+ media/grid/morning+mug/1
              these 5 because:
                concept/morning changed (concept)
                  description: "Soft light, linen" → "Hard light, linen"  campaign.yaml:10

      Plan: 0 to create, 1 to update, 5 to replace, 0 to delete. 5 posts to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      5 new posts
      1 × PUT /concepts/{id}/
      3 × POST /media-config/
      5 × GET /files/{id}
      5 × GET /media/{id}/{id}/"
    `);
  });

  it('one item without a key changed', async () => {
    const campaign = await applied.copy();
    await campaign.change('products: [mug], aspect_ratio: "1:1"', 'products: [mug], aspect_ratio: "16:9"');
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

            media-config/hero@2  one request, 1 post
        -/+ media/hero/1
              metadata.aspect_ratio: "1:1" → "16:9"  campaign.yaml:19

      Plan: 0 to create, 0 to update, 1 to replace, 0 to delete. 1 post to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      1 new posts
      1 × GET /files/{id}
      1 × GET /media/{id}/{id}/
      1 × POST /media-config/"
    `);
  });

  it('one item with a key changed', async () => {
    const campaign = await applied.copy();
    await campaign.change('On a chair', 'On a table');
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

            media-config/hero@2  one request, 1 post
        -/+ media/hero/kitchen
              descriptions[0]: "On a chair" → "On a table"  campaign.yaml:18

      Plan: 0 to create, 0 to update, 1 to replace, 0 to delete. 1 post to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      1 new posts
      1 × GET /files/{id}
      1 × GET /media/{id}/{id}/
      1 × POST /media-config/"
    `);
  });

  it('one item inserted at the front', async () => {
    const campaign = await applied.copy();
    await campaign.change(
      'items:\n',
      'items:\n      - { post_type: carousel, products: [mug], aspect_ratio: "1:1" }\n',
    );
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

            media-config/hero@2  one request, 1 post
          + media/hero/3  carousel 1:1

      Plan: 1 to create, 0 to update, 0 to replace, 0 to delete. 1 new post.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      1 new posts
      1 × GET /media/{id}/{id}/
      1 × POST /media-config/
      3 × GET /files/{id}"
    `);
  });

  it('one item removed', async () => {
    const campaign = await applied.copy();
    await campaign.change(/      - \{ post_type: image, products: \[mug\].*\n/, '');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          media/hero/1 left alone: the manifest no longer names it

      No changes.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
  });

  it('one matrix value added', async () => {
    const campaign = await applied.copy();
    await campaign.change('[morning, night]', '[morning, night, noon]');
    await campaign.change('  night:\n', '  noon:\n    description: White light\n  night:\n');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          + concept/noon
            media-config/grid/noon+tote@1  one request, 1 post
          + media/grid/noon+tote/1  image 1:1
            media-config/grid/noon+mug@1  one request, 1 post
          + media/grid/noon+mug/1  image 1:1

      Plan: 3 to create, 0 to update, 0 to replace, 0 to delete. 2 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      2 new posts
      1 × POST /concepts/
      2 × GET /files/{id}
      2 × GET /media/{id}/{id}/
      2 × POST /media-config/"
    `);
  });
});
