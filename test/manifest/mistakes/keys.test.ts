import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('keys', () => {
  it('one that is unknown', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concept:
  night: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown key [unknown-key]
          at campaign.yaml:3:1
            |
          3 | concept:
            | ^^^^^^^
          There is no key "concept" here, and passing over it could hide a mistake. Did you mean "concepts"?

        "
      `);
  });

  it('unknown ones at every depth', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  form: schema
  environments:
    stage: { base_url: https://stage.example.com, limits: { concurency: 2 } }
defaults: { item: { aspectratio: "1:1" } }
products:
  tote: { images: t.png, tags: [a] }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - post_type: image
        ratio: "1:1"
        assets: [{ product: tote }]
        descriptions: [{ text: x }]
`,
          { files: { 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown key [unknown-key]
          at campaign.yaml:6:61
            |
          6 |     stage: { base_url: https://stage.example.com, limits: { concurency: 2 } }
            |                                                             ^^^^^^^^^^
          There is no key "concurency" here, and passing over it could hide a mistake. Did you mean "concurrency"?

        error: Unknown key [unknown-key]
          at campaign.yaml:7:21
            |
          7 | defaults: { item: { aspectratio: "1:1" } }
            |                     ^^^^^^^^^^^
          There is no key "aspectratio" here, and passing over it could hide a mistake. Did you mean "aspect_ratio"?

        error: Unknown key [unknown-key]
          at campaign.yaml:9:26
            |
          9 |   tote: { images: t.png, tags: [a] }
            |                          ^^^^
          There is no key "tags" here, and passing over it could hide a mistake. Known keys: name, description, variant, images, id, vars.

        error: Unknown key [unknown-key]
          at campaign.yaml:15:9
             |
          15 |         ratio: "1:1"
             |         ^^^^^
          There is no key "ratio" here, and passing over it could hide a mistake. Did you mean "aspect_ratio"?

        error: Unknown key [unknown-key]
          at campaign.yaml:16:20
             |
          16 |         assets: [{ product: tote }]
             |                    ^^^^^^^
          There is no key "product" here, and passing over it could hide a mistake. Did you mean "product_id"?

        error: Unknown key [unknown-key]
          at campaign.yaml:17:26
             |
          17 |         descriptions: [{ text: x }]
             |                          ^^^^
          There is no key "text" here, and passing over it could hide a mistake. Did you mean "description"?

        "
      `);
  });

  it('one that is unknown in a product.yaml', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          {
            files: {
              'photos/mug/a.png': 'photo',
              'photos/mug/product.yaml': { text: 'name: Mug\nimage: a.png\n' },
            },
          },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown key [unknown-key]
          at photos/mug/product.yaml:2:1
            |
          2 | image: a.png
            | ^^^^^
          There is no key "image" here, and passing over it could hide a mistake. Did you mean "images"?

        "
      `);
  });

  it('a text torn at its comma', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { name: Night, description: Neon, wet asphalt }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown key [unknown-key]
          at campaign.yaml:4:44
            |
          4 |   night: { name: Night, description: Neon, wet asphalt }
            |                                            ^^^^^^^^^^^
          There is no key "wet asphalt" here, and passing over it could hide a mistake. If it belongs to the text before the comma, put that in quotes: "Neon, wet asphalt".

        "
      `);
  });

  it('one twice', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { name: Night }
name: y
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is written twice [duplicate-key]
          at campaign.yaml:5:1
            |
          5 | name: y
            | ^^^^
          "name" stands in line 2 already; only one of the two would count. Remove or rename one.

        "
      `);
  });

  it('ones twice at every depth', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: t.png }
  mug: { id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f }
  tote: { images: t.png }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - post_type: image
        aspect_ratio: "1:1"
        post_type: video
`,
          { files: { 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is written twice [duplicate-key]
          at campaign.yaml:5:52
            |
          5 |   mug: { id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f }
            |                                                    ^^
          "id" stands in line 5 already; only one of the two would count. Remove or rename one.

        error: Key is written twice [duplicate-key]
          at campaign.yaml:6:3
            |
          6 |   tote: { images: t.png }
            |   ^^^^
          "tote" stands in line 4 already; only one of the two would count. Remove or rename one.

        error: Key is written twice [duplicate-key]
          at campaign.yaml:13:9
             |
          13 |         post_type: video
             |         ^^^^^^^^^
          "post_type" stands in line 11 already; only one of the two would count. Remove or rename one.

        "
      `);
  });

  it('a list as key', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  [night, day]: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:4:3
            |
          4 |   [night, day]: {}
            |   ^^^^^^^^^^^^
          A key is a name, not a list or a map. Write a name before the colon.

        "
      `);
  });

  it('no key before the colon', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  : { name: Night }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:4:3
            |
          4 |   : { name: Night }
            |   ^
          There is no name before this colon. Write one, or remove the line.

        "
      `);
  });

  it('__proto__', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  __proto__: { name: Night }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:4:3
            |
          4 |   __proto__: { name: Night }
            |   ^^^^^^^^^
          \`__proto__\` has a special meaning in JavaScript and cannot be a key. Choose another name.

        "
      `);
  });

  it('a name with spaces and capitals', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  Wet Night: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:4:3
            |
          4 |   Wet Night: {}
            |   ^^^^^^^^^
          "Wet Night" cannot be a name here. A name has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit, and has at most 63 characters. Write "wet-night", for example.

        "
      `);
  });

  it('a variable that no expression could name', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables: { 1st: spring }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:3:14
            |
          3 | variables: { 1st: spring }
            |              ^^^
          "1st" cannot be a name here. A name here has letters, digits, \`_\` and \`-\`, and begins with a letter, so that \`\${{ … }}\` can name it.

        "
      `);
  });

  it('required ones of the campaign', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `description: Spring
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:1:1
            |
          1 | description: Spring
            | ^^^^^^^^^^^
          \`version\` is missing here. The version of this file format. Later versions of campaign keep its defaults. For example: version: 1

        error: Key is missing [missing-key]
          at campaign.yaml:1:1
            |
          1 | description: Spring
            | ^^^^^^^^^^^
          \`name\` is missing here. The key of the campaign, to which its state belongs: lower-case letters, digits, \`.\`, \`_\` and \`-\`, at most 63. For example: name: spring-launch

        "
      `);
  });

  it('the required one of an environment', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  environments:
    stage: { api_key_env: KEY }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:5:5
            |
          5 |     stage: { api_key_env: *****
            |     ^^^^^
          \`base_url\` is missing here. URL of the service with its path prefix; https, or http on the loopback interface. For example: base_url: https://visuals.example.com/api

        "
      `);
  });

  it('required ones of an item', async (test) => {
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
      - key: kitchen
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:7:9
            |
          7 |       - key: kitchen
            |         ^^^
          This item has no \`post_type\`. Write image, video or carousel, here or under \`defaults: item:\`.

        error: Key is missing [missing-key]
          at campaign.yaml:7:9
            |
          7 |       - key: kitchen
            |         ^^^
          This item has no \`aspect_ratio\`. Write one, such as "4:5", here or under \`defaults: item:\`.

        "
      `);
  });

  it('the required one of an asset', async (test) => {
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
      - { post_type: image, aspect_ratio: "1:1", assets: [{ type: product }] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:7:59
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", assets: [{ type: product }] }
            |                                                           ^^^^^^^^^^^^^^^^^
          \`product_id\` is missing here. Key (or id) of the product. For example: product_id: tote

        "
      `);
  });

  it('a post without concept', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:4:3
            |
          4 |   a:
            |   ^
          This post has no \`concept\`, the creative direction of its pictures. Write the key of one of \`concepts:\`.

        "
      `);
  });

  it('a post without items', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:4:3
            |
          4 |   a:
            |   ^
          \`items\` is missing here. One entry for each wanted post. For example: items: [{"post_type":"image","products":["tote"],"aspect_ratio":"4:5"}]

        "
      `);
  });

  it('another version', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 2
name: x
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unsupported format version [unsupported-version]
          at campaign.yaml:1:10
            |
          1 | version: 2
            |          ^
          This release of campaign reads version 1 of the format. Write \`version: 1\`, or take a newer release.

        "
      `);
  });

  it('an environment with a reserved name', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  environments:
    emulator: { base_url: https://a.example.com }
    default: { base_url: https://b.example.com }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Name is reserved [reserved-name]
          at campaign.yaml:5:5
            |
          5 |     emulator: { base_url: https://a.example.com }
            |     ^^^^^^^^
          "emulator" always means the built-in emulator. Choose another name.

        error: Name is reserved [reserved-name]
          at campaign.yaml:6:5
            |
          6 |     default: { base_url: https://b.example.com }
            |     ^^^^^^^
          "default" means that CAMPAIGN_BASE_URL is set and no environment is chosen. Choose another name.

        "
      `);
  });
});
