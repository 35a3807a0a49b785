import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

describe('a rename costs nothing', () => {
  it('a folder of photos', async () => {
    const campaign = await applied.copy();
    await campaign.rename('photos/tote', 'photos/bag');
    await campaign.change(/\btote\b/g, 'bag');
    const json = await campaign.planJson();
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > product/tote → product/bag
          > media/grid/morning+tote/1 → media/grid/morning+bag/1
          > media/grid/night+tote/1 → media/grid/night+bag/1
          ~ product/bag
              name: "tote" → "bag"  campaign.yaml:3
          > out/spring/default/grid/morning+tote/1-image.png → out/spring/default/grid/morning+bag/1-image.png
          > out/spring/default/grid/night+tote/1-image.png → out/spring/default/grid/night+bag/1-image.png

      Plan: 0 to create, 1 to update, 0 to replace, 0 to delete, 3 to move. 0 new posts.
      "
    `);
    expect(json).toMatchInlineSnapshot(`
      "format_version: "1.0"
      changes:
        {"address":"product/bag","action":"move","from":"product/tote","reasons":[]}
        {"address":"media/grid/morning+bag/1","action":"move","from":"media/grid/morning+tote/1","reasons":[]}
        {"address":"media/grid/night+bag/1","action":"move","from":"media/grid/night+tote/1","reasons":[]}
        {"address":"product/bag","action":"update","reasons":[{"summary":"changed","field":"name","from":"tote","to":"bag","file":"campaign.yaml","line":3}]}
      requests: []
      held: []
      kept: []
      left_alone: []
      not_selected: 0
      summary: {"create":0,"update":1,"replace":0,"delete":0,"move":3,"unchanged":14}
      pending: 0
      to_download: 0
      looked_for: []
      failed: 0
      gone: []
      unknown: 0
      new_posts: 0
      over_budget: []
      cost: null"
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts
      1 × PATCH /products/{id}/"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/morning+bag/1-image.png",
        "grid/morning+mug/1-image.png",
        "grid/night+bag/1-image.png",
        "grid/night+mug/1-image.png",
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/kitchen-image.png",
        "index.json",
      ]
    `);
  });

  it('the key of a product', async () => {
    const campaign = await applied.copy();
    await campaign.change(/\bmug\b/g, 'beaker');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > product/mug → product/beaker
          > media/grid/morning+mug/1 → media/grid/morning+beaker/1
          > media/grid/night+mug/1 → media/grid/night+beaker/1
          > out/spring/default/grid/morning+mug/1-image.png → out/spring/default/grid/morning+beaker/1-image.png
          > out/spring/default/grid/night+mug/1-image.png → out/spring/default/grid/night+beaker/1-image.png

      Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 3 to move. 0 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/morning+beaker/1-image.png",
        "grid/morning+tote/1-image.png",
        "grid/night+beaker/1-image.png",
        "grid/night+tote/1-image.png",
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/kitchen-image.png",
        "index.json",
      ]
    `);
  });

  it('the key of a concept', async () => {
    const campaign = await applied.copy();
    await campaign.change(/\bmorning\b/g, 'dawn');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > concept/morning → concept/dawn
          > media/grid/morning+tote/1 → media/grid/dawn+tote/1
          > media/grid/morning+mug/1 → media/grid/dawn+mug/1
          > out/spring/default/grid/morning+mug/1-image.png → out/spring/default/grid/dawn+mug/1-image.png
          > out/spring/default/grid/morning+tote/1-image.png → out/spring/default/grid/dawn+tote/1-image.png

      Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 3 to move. 0 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/dawn+mug/1-image.png",
        "grid/dawn+tote/1-image.png",
        "grid/night+mug/1-image.png",
        "grid/night+tote/1-image.png",
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/kitchen-image.png",
        "index.json",
      ]
    `);
  });

  it('the key of a post', async () => {
    const campaign = await applied.copy();
    await campaign.change('hero:', 'header:');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > media/hero/kitchen → media/header/kitchen
          > media/hero/1 → media/header/1
          > media/hero/2 → media/header/2
          > out/spring/default/hero/kitchen-image.png → out/spring/default/header/kitchen-image.png
          > out/spring/default/hero/1-image.png → out/spring/default/header/1-image.png
          > out/spring/default/hero/2-video.png → out/spring/default/header/2-video.png

      Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 3 to move. 0 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/morning+mug/1-image.png",
        "grid/morning+tote/1-image.png",
        "grid/night+mug/1-image.png",
        "grid/night+tote/1-image.png",
        "header/1-image.png",
        "header/2-video.png",
        "header/kitchen-image.png",
        "index.json",
      ]
    `);
  });

  it('the key of a post with a matrix', async () => {
    const campaign = await applied.copy();
    await campaign.change('grid:', 'wall:');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > media/grid/morning+tote/1 → media/wall/morning+tote/1
          > media/grid/morning+mug/1 → media/wall/morning+mug/1
          > media/grid/night+tote/1 → media/wall/night+tote/1
          > media/grid/night+mug/1 → media/wall/night+mug/1
          > out/spring/default/grid/morning+mug/1-image.png → out/spring/default/wall/morning+mug/1-image.png
          > out/spring/default/grid/morning+tote/1-image.png → out/spring/default/wall/morning+tote/1-image.png
          > out/spring/default/grid/night+mug/1-image.png → out/spring/default/wall/night+mug/1-image.png
          > out/spring/default/grid/night+tote/1-image.png → out/spring/default/wall/night+tote/1-image.png

      Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 4 to move. 0 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/kitchen-image.png",
        "index.json",
        "wall/morning+mug/1-image.png",
        "wall/morning+tote/1-image.png",
        "wall/night+mug/1-image.png",
        "wall/night+tote/1-image.png",
      ]
    `);
  });

  it('the key of an item', async () => {
    const campaign = await applied.copy();
    await campaign.change('kitchen', 'salon');
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > media/hero/kitchen → media/hero/salon
          > out/spring/default/hero/kitchen-image.png → out/spring/default/hero/salon-image.png

      Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 1 to move. 0 new posts.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      0 new posts"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/morning+mug/1-image.png",
        "grid/morning+tote/1-image.png",
        "grid/night+mug/1-image.png",
        "grid/night+tote/1-image.png",
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/salon-image.png",
        "index.json",
      ]
    `);
  });

  it('the key of an item, which a new item has now', async () => {
    const campaign = await applied.copy();
    const added =
      '      - { key: kitchen, post_type: image, products: [mug], aspect_ratio: "4:5", descriptions: [New] }';
    await campaign.change(/key: kitchen(.*)\n/, `key: salon$1\n${added}\n`);
    const { text, sent } = await campaign.settle();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > media/hero/kitchen → media/hero/salon
            media-config/hero@2  one request, 1 post
          + media/hero/kitchen  image 4:5
          > out/spring/default/hero/kitchen-image.png → out/spring/default/hero/salon-image.png

      Plan: 1 to create, 0 to update, 0 to replace, 0 to delete, 1 to move. 1 new post.
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

  it('a product with one photo changed, stated under `moved`', async () => {
    const campaign = await applied.copy();
    await campaign.rename('photos/tote', 'photos/bag');
    await campaign.change(/\btote\b/g, 'bag');
    await campaign.write('photos/bag/1-front.png', await photo('new'));
    await campaign.change(
      'product_folders',
      'moved: [{ from: product/tote, to: product/bag }]\nproduct_folders',
    );
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          > product/tote → product/bag
          > media/grid/morning+tote/1 → media/grid/morning+bag/1
          > media/grid/night+tote/1 → media/grid/night+bag/1
          + photos/bag/1-front.png  upload/<new>, 1 kB
          ~ product/bag
              images[0]: an earlier image (<front>) → photos/bag/1-front.png (<new>)  campaign.yaml:4
              name: "tote" → "bag"  campaign.yaml:4
            3 requests, 4 posts
        -/+ media/hero/kitchen
        -/+ media/hero/2
        -/+ media/grid/morning+bag/1
        -/+ media/grid/night+bag/1
              these 4 because:
                product/bag changed (assets[0].product)
                  images[0]: an earlier image (<front>) → photos/bag/1-front.png (<new>)  campaign.yaml:4
          > out/spring/default/grid/morning+tote/1-image.png → out/spring/default/grid/morning+bag/1-image.png
          > out/spring/default/grid/night+tote/1-image.png → out/spring/default/grid/night+bag/1-image.png

      Plan: 1 to create, 1 to update, 4 to replace, 0 to delete, 3 to move. 4 posts to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      4 new posts
      1 × PATCH /products/{id}/
      1 × POST /upload-media/
      3 × POST /media-config/
      4 × GET /files/{id}
      4 × GET /media/{id}/{id}/"
    `);
    expect(await campaign.files('out/spring/default')).toMatchInlineSnapshot(`
      [
        "grid/morning+bag/1-image.png",
        "grid/morning+bag/1-image.take1.png",
        "grid/morning+mug/1-image.png",
        "grid/night+bag/1-image.png",
        "grid/night+bag/1-image.take1.png",
        "grid/night+mug/1-image.png",
        "hero/1-image.png",
        "hero/2-video.png",
        "hero/2-video.take1.png",
        "hero/kitchen-image.png",
        "hero/kitchen-image.take1.png",
        "index.json",
      ]
    `);
  });
});
