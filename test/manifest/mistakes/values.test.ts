import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('values', () => {
  it('a number where a text belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: 2024
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:2:7
            |
          2 | name: 2024
            |       ^^^^
          This must be a text, but it is the number 2024. Put it in quotes: "2024".

        "
      `);
  });

  it('a text where a number belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { concurrency: fast }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:3:24
            |
          3 | limits: { concurrency: fast }
            |                        ^^^^
          This must be a whole number or a map (\`key: value\`), but it is a text. For example: 8

        "
      `);
  });

  it('a text where a list belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: photos/*
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:3:18
            |
          3 | product_folders: photos/*
            |                  ^^^^^^^^
          This must be a list, but it is a text. For example: ["photos/*"]

        "
      `);
  });

  it('a list where a map belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: [night, day]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:3:1
            |
          3 | concepts: [night, day]
            | ^^^^^^^^
          This must be a map (\`key: value\`), but it is a list. For example: {"night":{"name":"Night","description":"Neon, wet asphalt"}}

        "
      `);
  });

  it('nothing where a text belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night:
    description:
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:5:5
            |
          5 |     description:
            |     ^^^^^^^^^^^
          This must be a text, but it is empty. For example: Soft side light, linen, pale green

        "
      `);
  });

  it('yes where a text belongs', async (test) => {
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
      - { post_type: image, aspect_ratio: "1:1", descriptions: [true] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:7:65
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", descriptions: [true] }
            |                                                                 ^^^^
          This must be a text or a map (\`key: value\`), but it is true. Put it in quotes: "true".

        "
      `);
  });

  it('a ratio without quotes', async (test) => {
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
      - { post_type: image, aspect_ratio: 1 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:7:43
            |
          7 |       - { post_type: image, aspect_ratio: 1 }
            |                                           ^
          This must be a text, but it is the number 1. Put it in quotes: "1".

        "
      `);
  });

  it('a value with a typing error', async (test) => {
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
      - { post_type: vidoe, aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:7:22
            |
          7 |       - { post_type: vidoe, aspect_ratio: "1:1" }
            |                      ^^^^^
          "vidoe" is not possible here. Possible values: image, video, carousel. Did you mean "video"?

        "
      `);
  });

  it('a value like no other', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { form: xml }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:18
            |
          3 | service: { form: xml }
            |                  ^^^
          "xml" is not possible here. Possible values: schema, guide.

        "
      `);
  });

  it('a campaign name in capitals', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: Spring Launch
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:2:7
            |
          2 | name: Spring Launch
            |       ^^^^^^^^^^^^^
          A name has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit, and has at most 63 characters. Write "spring-launch", for example.

        "
      `);
  });

  it('an item key of digits', async (test) => {
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
      - { key: "12", post_type: image, aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:7:16
            |
          7 |       - { key: "12", post_type: image, aspect_ratio: "1:1" }
            |                ^^^^
          The key of an item has lower-case letters, digits, \`.\`, \`_\` and \`-\`, and not digits alone: numbers are what items without a key get. For example: kitchen

        "
      `);
  });

  it('a number that is too small', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { concurrency: 0, requests_per_second: 0 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:24
            |
          3 | limits: { concurrency: 0, requests_per_second: 0 }
            |                        ^
          This must be at least 1. How many requests are under way at once (slots), default 8; or a map with the total and lower limits for single kinds of nodes. For example: 8

        error: Value is not allowed [invalid-value]
          at campaign.yaml:3:48
            |
          3 | limits: { concurrency: 0, requests_per_second: 0 }
            |                                                ^
          This must be more than 0. Upper bound of the rate of requests. Default: none. For example: 50

        "
      `);
  });

  it('a number that is too large', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { nothing_done: [503, 700] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:32
            |
          3 | service: { nothing_done: [503, 700] }
            |                                ^^^
          This must be at most 599.

        "
      `);
  });

  it('half a request', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { media_in_flight: 1.5 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:3:28
            |
          3 | limits: { media_in_flight: 1.5 }
            |                            ^^^
          This must be a whole number, but it is the number 1.5. For example: 200

        "
      `);
  });

  it('no number at all', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { requests_per_second: .inf }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:32
            |
          3 | limits: { requests_per_second: .inf }
            |                                ^^^^
          This is not a number that can be used here. Write one with digits.

        "
      `);
  });

  it('a duration without unit', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { media_timeout: "30" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:26
            |
          3 | limits: { media_timeout: "30" }
            |                          ^^^^
          A duration is a number with its unit: ms, s, m, h or d. For example: 30m

        "
      `);
  });

  it('a duration beyond every clock', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
limits: { media_timeout: 99999999999999d }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:26
            |
          3 | limits: { media_timeout: 99999999999999d }
            |                          ^^^^^^^^^^^^^^^
          99999999999999d is longer than can be counted. Write the time after which you would look yourself: 30m, for example.

        "
      `);
  });

  it('an id that is no UUID', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { id: night-1 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:4:16
            |
          4 |   night: { id: night-1 }
            |                ^^^^^^^
          The id of an object that the service has already is a UUID: 32 hexadecimal digits in five groups. For example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f

        "
      `);
  });

  it('an address that is none', async (test) => {
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
      - { post_type: image, aspect_ratio: "1:1", assets: [{ product_id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, url: tote.jpg }] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:7:116
            |
          7 | aspect_ratio: "1:1", assets: [{ product_id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, url: tote.jpg }] }
            |                                                                                        ^^^^^^^^
          An address is written in full, with https:// at its beginning. For example: https://cdn.example.com/tote.jpg

        "
      `);
  });

  it('an empty text', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { name: "" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:4:18
            |
          4 |   night: { name: "" }
            |                  ^^
          This text is empty: write one, or remove the key. The name that the service shows. Default: the key of the concept. For example: Night

        "
      `);
  });

  it('an empty list', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { ref_images: [] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:4:12
            |
          4 |   night: { ref_images: [] }
            |            ^^^^^^^^^^
          This list is empty: fill it in, or remove the key. A folder, a file, a glob, an https URL, or a list of these. For example: photos/tote

        "
      `);
  });

  it('an empty map', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { id: {} }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:4:12
            |
          4 |   night: { id: {} }
            |            ^^
          This map is empty: fill it in, or remove the key. The object exists already: it is used and never changed. A UUID holds in every environment but the emulator; or a map of environment names to UUIDs. For example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f

        "
      `);
  });

  it('true for outputs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: true
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:10
            |
          3 | outputs: true
            |          ^^^^
          \`true\` has no meaning here: remove the key for the defaults, or write \`false\` or a map. Where finished files go and what they are called; false downloads nothing. For example: {"dir":"out/\${{ vars.env }}","name":"{post}/{instance}/{item}-{post_type}"}

        "
      `);
  });

  it('an empty file', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `# nothing yet
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:1:1
            |
          1 | # nothing yet
            | ^
          This file is empty. A manifest has at least the keys version and name.

        "
      `);
  });

  it('a list of campaigns', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `- version: 1
  name: x
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:1:1
            |
          1 | - version: 1
            | ^^^^^^^^^^^^
          This file is a list, not a map of keys and values. A manifest has at least the keys version and name.

        "
      `);
  });

  it('a path of media with an unknown placeholder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { media_path: "/media/{config.id}/{itm.id}/" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown placeholder [unknown-placeholder]
          at campaign.yaml:3:44
            |
          3 | service: { media_path: "/media/{config.id}/{itm.id}/" }
            |                                            ^^^^^^^^
          There is no placeholder {itm.id} for the path of generated media. Did you mean "item"?

        "
      `);
  });

  it('a path of media with one part', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { media_path: "/media/{item.id}/" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:3:24
            |
          3 | service: { media_path: "/media/{item.id}/" }
            |                        ^^^^^^^^^^^^^^^^^^^
          The path of generated media has two parts behind /media/, and this one has 1. For example: /media/{config.id}/{item.id}/

        "
      `);
  });
});
