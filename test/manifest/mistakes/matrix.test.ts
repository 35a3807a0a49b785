import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

const NUMBERS = Array.from({ length: 1_000 }, (_, index) => index).join();

describe.concurrent('a matrix', () => {
  it('with a key that nothing uses', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      season: [spring, summer]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Matrix key is not used [unused-matrix-key]
          at campaign.yaml:10:7
             |
          10 |       season: [spring, summer]
             |       ^^^^^^
          Nothing in this post uses it, so each of its values would make the same posts again. Write \${{ matrix.season }} in the concept or an item, or remove the key.

        "
      `);
  });

  it('without the key of an expression', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratios: ["1:1"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown matrix key [unknown-matrix-key]
          at campaign.yaml:12:81
             |
          12 |     - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
             |                                                                               ^^^^^^^^^^^^^^^^^^^
          The matrix of this post has no key "ratio". Did you mean "ratios"?

        "
      `);
  });

  it('with two values that become one', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["9:16", 9x16]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two names would be one [duplicate-slug]
          at campaign.yaml:9:23
            |
          9 |       ratio: ["9:16", 9x16]
            |                       ^^^^
          "9:16" and "9x16" both become "9x16" in addresses, so that one would take the place of the other. Change one.

        "
      `);
  });

  it('with one value twice', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "4:5", "1:1"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two names would be one [duplicate-slug]
          at campaign.yaml:9:29
            |
          9 |       ratio: ["1:1", "4:5", "1:1"]
            |                             ^^^^^
          "1:1" stands here twice, and its posts would be made twice. Remove one.

        "
      `);
  });

  it('with a star for something else', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: "*"
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: "*" has no meaning here [invalid-star]
          at campaign.yaml:9:14
            |
          9 |       ratio: "*"
            |              ^^^
          "*" means every product in a key named \`product\`, and every concept in one named \`concept\`. List the values of \`ratio\`.

        "
      `);
  });

  it('with a text instead of a list', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: tote
      ratio: ["1:1", "9:16"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:8:16
            |
          8 |       product: tote
            |                ^^^^
          The values of a matrix key are a list, or "*" for every product or every concept. For example: ["1:1","9:16"]

        "
      `);
  });

  it('with an empty value', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", ""]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Matrix value is empty [empty-value]
          at campaign.yaml:9:22
            |
          9 |       ratio: ["1:1", ""]
            |                      ^^
          A matrix value becomes part of the addresses of its posts. Write a text, or remove it.

        "
      `);
  });

  it('with an unknown product', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: [mug, tota]
      ratio: ["1:1", "9:16"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown product [unknown-product]
          at campaign.yaml:8:22
            |
          8 |       product: [mug, tota]
            |                      ^^^^
          There is no product "tota" in this manifest. Did you mean "tote"?

        "
      `);
  });

  it('that excludes an unknown key', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      exclude: [{ prodcut: mug }]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown matrix key [unknown-matrix-key]
          at campaign.yaml:10:19
             |
          10 |       exclude: [{ prodcut: mug }]
             |                   ^^^^^^^
          The matrix has no key "prodcut". Did you mean "product"?

        "
      `);
  });

  it('that excludes an unknown value', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      exclude: [{ product: mug, ratio: "16:9" }]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown matrix value [unknown-matrix-value]
          at campaign.yaml:10:40
             |
          10 |       exclude: [{ product: mug, ratio: "16:9" }]
             |                                        ^^^^^^
          "16:9" is none of the values of ratio, so this excludes nothing. They are: 1:1, 9:16.

        "
      `);
  });

  it('that includes half a combination', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      include: [{ product: mug }]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Included combination is incomplete [incomplete-include]
          at campaign.yaml:10:17
             |
          10 |       include: [{ product: mug }]
             |                 ^^^^^^^^^^^^^^^^
          It has no ratio. A combination that is added needs a value for every key of the matrix.

        "
      `);
  });

  it('that includes what is there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      include: [{ product: mug, ratio: "1:1" }]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Combination exists already [duplicate-combination]
          at campaign.yaml:10:17
             |
          10 |       include: [{ product: mug, ratio: "1:1" }]
             |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          The lists of the matrix give this combination already, and it would be made twice. Remove it here, or exclude it from the lists.

        "
      `);
  });

  it('with nothing left', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
      exclude: [{ ratio: "1:1" }, { ratio: "9:16" }]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Matrix has no combination [empty-matrix]
          at campaign.yaml:7:5
            |
          7 |     matrix:
            |     ^^^^^^
          No combination of values is left, so this post would never be made. Write at least one key with values, and exclude less.

        "
      `);
  });

  it('with millions of combinations', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: [${NUMBERS}]
      mood: [${NUMBERS}]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}', descriptions: ['\${{ matrix.mood }}'] }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Matrix is too large [matrix-too-large]
          at campaign.yaml:7:5
            |
          7 |     matrix:
            |     ^^^^^^
          It has 2,000,000 combinations (1,000 of mood × 2 of product × 1,000 of ratio); at most 100,000 are made. Take values out, or split the post.

        "
      `);
  });

  it('with a value that does not fit its place', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      kind: [image, story]
    concept: day
    items:
      - { post_type: '\${{ matrix.kind }}', products: ['\${{ matrix.product }}'], aspect_ratio: '1:1' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:12:22
             |
          12 |       - { post_type: '\${{ matrix.kind }}', products: ['\${{ matrix.product }}'], aspect_ratio: '1:1'
             |                      ^^^^^^^^^^^^^^^^^^^^
          "story" is not possible here. Possible values: image, video, carousel.

        "
      `);
  });

  it('with a list inside a list', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: [["1:1"]]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:9:15
            |
          9 |       ratio: [["1:1"]]
            |               ^^^^^^^
          This must be a text or a number or true or false, but it is a list.

        "
      `);
  });
});
