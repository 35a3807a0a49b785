import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

describe('what an edit of a product costs', () => {
  it('one photo of tote replaced', async () => {
    const campaign = await applied.copy();
    await campaign.write('photos/tote/1-front.png', await photo('new'));
    const json = await campaign.planJson();
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          + photos/tote/1-front.png  upload/<new>, 1 kB
          ~ product/tote
              images[0]: an earlier image (<front>) → photos/tote/1-front.png (<new>)  campaign.yaml:3
            3 requests, 4 posts
        -/+ media/hero/kitchen
        -/+ media/hero/2
        -/+ media/grid/morning+tote/1
        -/+ media/grid/night+tote/1
              these 4 because:
                product/tote changed (assets[0].product)
                  images[0]: an earlier image (<front>) → photos/tote/1-front.png (<new>)  campaign.yaml:3

      Plan: 1 to create, 1 to update, 4 to replace, 0 to delete. 4 posts to pay.
      "
    `);
    expect(json).toMatchInlineSnapshot(`
      "format_version: "1.0"
      changes:
        {"address":"upload/<new>","action":"create","reasons":[{"summary":"new"}]}
        {"address":"product/tote","action":"update","reasons":[{"summary":"changed","field":"images[0]","from":"<front>","to":"<new>","file":"campaign.yaml","line":3}]}
        {"address":"media/hero/kitchen","action":"replace","post_type":"image","aspect_ratio":"4:5","cost":null,"reasons":[{"address":"product/tote","summary":"changed","field":"images[0]","from":"<front>","to":"<new>","file":"campaign.yaml","line":3}]}
        {"address":"media/hero/2","action":"replace","post_type":"video","aspect_ratio":"9:16","cost":null,"reasons":[{"address":"product/tote","summary":"changed","field":"images[0]","from":"<front>","to":"<new>","file":"campaign.yaml","line":3}]}
        {"address":"media/grid/morning+tote/1","action":"replace","post_type":"image","aspect_ratio":"1:1","cost":null,"reasons":[{"address":"product/tote","summary":"changed","field":"images[0]","from":"<front>","to":"<new>","file":"campaign.yaml","line":3}]}
        {"address":"media/grid/night+tote/1","action":"replace","post_type":"image","aspect_ratio":"1:1","cost":null,"reasons":[{"address":"product/tote","summary":"changed","field":"images[0]","from":"<front>","to":"<new>","file":"campaign.yaml","line":3}]}
      requests:
        {"address":"media-config/hero@2","posts":2,"items":["kitchen","2"],"cost":null}
        {"address":"media-config/grid/morning+tote@2","posts":1,"items":["1"],"cost":null}
        {"address":"media-config/grid/night+tote@2","posts":1,"items":["1"],"cost":null}
      held: []
      kept: []
      left_alone: []
      not_selected: 0
      summary: {"create":1,"update":1,"replace":4,"delete":0,"move":0,"unchanged":9}
      pending: 0
      to_download: 0
      looked_for: []
      failed: 0
      gone: []
      unknown: 0
      new_posts: 4
      over_budget: []
      cost: null"
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
    expect(await campaign.files('out/spring/default/hero')).toEqual([
      '1-image.png',
      '2-video.png',
      '2-video.take1.png',
      'kitchen-image.png',
      'kitchen-image.take1.png',
    ]);
  });

  it('two photos of tote renamed so that their order changes', async () => {
    const campaign = await applied.copy();
    await campaign.rename('photos/tote/1-front.png', 'photos/tote/3-front.png');
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          ~ product/tote
              images[0]: photos/tote/3-front.png (<front>) → photos/tote/2-side.png (<side>)  campaign.yaml:3
              images[1]: photos/tote/2-side.png (<side>) → photos/tote/3-front.png (<front>)  campaign.yaml:3
            3 requests, 4 posts
        -/+ media/hero/kitchen
        -/+ media/hero/2
        -/+ media/grid/morning+tote/1
        -/+ media/grid/night+tote/1
              these 4 because:
                product/tote changed (assets[0].product)
                  images[0]: photos/tote/3-front.png (<front>) → photos/tote/2-side.png (<side>)  campaign.yaml:3
                  images[1]: photos/tote/2-side.png (<side>) → photos/tote/3-front.png (<front>)  campaign.yaml:3

      Plan: 0 to create, 1 to update, 4 to replace, 0 to delete. 4 posts to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      4 new posts
      1 × PATCH /products/{id}/
      3 × POST /media-config/
      4 × GET /files/{id}
      4 × GET /media/{id}/{id}/"
    `);
  });

  it('a description of a product written that was absent', async () => {
    const campaign = await applied.copy();
    await campaign.write('photos/tote/product.yaml', 'description: Natural canvas\n');
    const { text, sent } = await campaign.settle('--yes');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          ~ product/tote
              description: added → "Natural canvas"  photos/tote/product.yaml:1
            3 requests, 4 posts
        -/+ media/hero/kitchen
        -/+ media/hero/2
        -/+ media/grid/morning+tote/1
        -/+ media/grid/night+tote/1
              these 4 because:
                product/tote changed (assets[0].product)
                  description: added → "Natural canvas"  photos/tote/product.yaml:1

      Plan: 0 to create, 1 to update, 4 to replace, 0 to delete. 4 posts to pay.
      "
    `);
    expect(sent).toMatchInlineSnapshot(`
      "exit 0
      4 new posts
      1 × PATCH /products/{id}/
      3 × POST /media-config/
      4 × GET /files/{id}
      4 × GET /media/{id}/{id}/"
    `);
  });
});
