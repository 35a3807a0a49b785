import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('references', () => {
  it('an unknown product', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products: { tote: { images: t.png } }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", products: [toet] }
`,
          { files: { 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown product [unknown-product]
          at campaign.yaml:8:61
            |
          8 |       - { post_type: image, aspect_ratio: "1:1", products: [toet] }
            |                                                             ^^^^
          There is no product "toet" in this manifest. Did you mean "tote"?

        "
      `);
  });

  it('an unknown product in the form of the service', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products: { tote: { images: t.png }, vase: { images: t.png } }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", assets: [{ type: product, product_id: cup }] }
`,
          { files: { 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown product [unknown-product]
          at campaign.yaml:8:88
            |
          8 |       - { post_type: image, aspect_ratio: "1:1", assets: [{ type: product, product_id: cup }] }
            |                                                                                        ^^^
          There is no product "cup" in this manifest. Known products: tote, vase.

        "
      `);
  });

  it('an unknown product where there is none', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", products: [tote] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown product [unknown-product]
          at campaign.yaml:7:61
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", products: [tote] }
            |                                                             ^^^^
          There is no product "tote" in this manifest. There are none yet: write it under \`products:\` or \`product_folders:\`.

        "
      `);
  });

  it('an unknown concept', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { morning: {}, night: {} }
posts:
  a:
    concept: mornig
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown concept [unknown-concept]
          at campaign.yaml:6:14
            |
          6 |     concept: mornig
            |              ^^^^^^
          There is no concept "mornig" in this manifest. Did you mean "morning"?

        "
      `);
  });

  it('an id with a digit too few', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown concept [unknown-concept]
          at campaign.yaml:5:14
            |
          5 |     concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5
            |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          There is no concept "0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5" in this manifest. If it is an id, it must have 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.

        "
      `);
  });

  it('an id for an unknown environment', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com } } }
concepts:
  night: { id: { stagee: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown environment [unknown-id-environment]
          at campaign.yaml:5:18
            |
          5 |   night: { id: { stagee: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
            |                  ^^^^^^
          There is no environment "stagee", so this id would never be used. Did you mean "stage"?

        "
      `);
  });

  it('two items with one key', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: kitchen, post_type: image, aspect_ratio: "1:1" }
      - { key: kitchen, post_type: video, aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Item key is used twice [duplicate-item-key]
          at campaign.yaml:8:16
            |
          8 |       - { key: kitchen, post_type: video, aspect_ratio: "1:1" }
            |                ^^^^^^^
          Another item of this post has the key "kitchen", and the two could not be told apart. Change one.

        "
      `);
  });

  it('two concepts for one post', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  a:
    concept: day
    content_pillar: night
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two keys contradict each other [conflicting-spellings]
          at campaign.yaml:7:5
            |
          7 |     content_pillar: night
            |     ^^^^^^^^^^^^^^
          \`content_pillar\` is another name for \`concept\`, and the two have different values. Remove one of them.

        "
      `);
  });

  it('two ratios for one item', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", metadata: { aspect_ratio: "4:5" } }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two keys contradict each other [conflicting-spellings]
          at campaign.yaml:7:29
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", metadata: { aspect_ratio: "4:5" } }
            |                             ^^^^^^^^^^^^
          \`aspect_ratio\` is short for \`metadata.aspect_ratio\`, and the two have different values here. Remove one of them.

        "
      `);
  });

  it('two lists of products for one item', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", products: [0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f], assets: [] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two keys contradict each other [conflicting-spellings]
          at campaign.yaml:7:50
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", products: [0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f], a
            |                                                  ^^^^^^^^
          \`products\` is short for \`assets\`, and the two have different values here. Remove one of them.

        "
      `);
  });
});
