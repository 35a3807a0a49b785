import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('a matrix', () => {
  it('with a concept that is unknown', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: [day, nigth]
      ratio: ['1:1']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "unknown-concept campaign.yaml:7:22 «nigth»
        There is no concept "nigth" in this manifest. Did you mean "night"?"
    `);
  });

  it('with a key that nothing uses', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1']
      season: [a, b]
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "unused-matrix-key campaign.yaml:9:7 «season»
        Nothing in this post uses it, so each of its values would make the same posts again. Write \${{ matrix.season }} in the concept or an item, or remove the key."
    `);
  });

  it('with an expression over an unknown key', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratoi: ['1:1']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "unknown-matrix-key campaign.yaml:10:48 «\${{ matrix.ratio }}»
        The matrix of this post has no key "ratio". Did you mean "ratoi"?"
    `);
  });

  it('with two values of one slug', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1', 1x1, '4:5', '4:5']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "duplicate-slug campaign.yaml:8:22 «1x1»
        "1:1" and "1x1" both become "1x1" in addresses, so that one would take the place of the other. Change one.
      duplicate-slug campaign.yaml:8:34 «'4:5'»
        "4:5" stands here twice, and its posts would be made twice. Remove one."
    `);
  });

  it('with a star for something else', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: '*'
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-star campaign.yaml:8:14 «'*'»
        "*" means every product in a key named \`product\`, and every concept in one named \`concept\`. List the values of \`ratio\`."
    `);
  });

  it('with another text than a star', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: day
      ratio: ['1:1']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:7:16 «day»
        The values of a matrix key are a list, or "*" for every product or every concept. For example: ["1:1","9:16"]"
    `);
  });

  it('with an empty value', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "empty-value campaign.yaml:8:15 «''»
        A matrix value becomes part of the addresses of its posts. Write a text, or remove it."
    `);
  });

  it('with a bad exclude', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1']
      exclude: [{ concpt: day }, { concept: dya }]
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "unknown-matrix-key campaign.yaml:9:19 «concpt»
        The matrix has no key "concpt". Did you mean "concept"?
      unknown-matrix-value campaign.yaml:9:45 «dya»
        "dya" is none of the values of concept, so this excludes nothing. Did you mean "day"?"
    `);
  });

  it('with a bad include', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1']
      include: [{ concept: day }, { concept: day, ratio: '1:1' }]
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "incomplete-include campaign.yaml:9:17 «{ concept: day }»
        It has no ratio. A combination that is added needs a value for every key of the matrix."
    `);
  });

  it('with a doubled combination', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1']
      include: [{ concept: day, ratio: '1:1' }]
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "duplicate-combination campaign.yaml:9:17 «{ concept: day, ratio: '1:1' }»
        The lists of the matrix give this combination already, and it would be made twice. Remove it here, or exclude it from the lists."
    `);
  });

  it('with nothing left', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      ratio: ['1:1']
      exclude: [{ ratio: '1:1' }]
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "empty-matrix campaign.yaml:6:5 «matrix»
        No combination of values is left, so this post would never be made. Write at least one key with values, and exclude less."
    `);
  });

  it('without keys', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      include: []
    concept: day
    items: [{ post_type: image, aspect_ratio: '1:1' }]
`),
    ).toMatchInlineSnapshot(`
      "empty-matrix campaign.yaml:6:5 «matrix»
        No combination of values is left, so this post would never be made. Write at least one key with values, and exclude less."
    `);
  });

  it('that is too large', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  grid:
    matrix: { a: &l [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49], b: *l, c: *l }
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ matrix.a }}\${{ matrix.b }}\${{ matrix.c }}'] }]
`),
    ).toMatchInlineSnapshot(`
      "matrix-too-large campaign.yaml:5:5 «matrix»
        It has 125,000 combinations (50 of a × 50 of b × 50 of c); at most 100,000 are made. Take values out, or split the post."
    `);
  });

  it('with a value that does not fit its place', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: '*'
      kind: [image, story]
    concept: \${{ matrix.concept }}
    items: [{ key: '\${{ matrix.kind }}!', post_type: '\${{ matrix.kind }}', aspect_ratio: '1:1' }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:10:20 «'\${{ matrix.kind }}!'»
        The key of an item has lower-case letters, digits, \`.\`, \`_\` and \`-\`, and not digits alone: numbers are what items without a key get. Write "image", for example.
      invalid-value campaign.yaml:10:54 «'\${{ matrix.kind }}'»
        "story" is not possible here. Possible values: image, video, carousel."
    `);
  });

  it('of a broken form', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  grid:
    matrix:
      concept: 5
      ratio: ['1:1']
    concept: \${{ matrix.concept }}
    items: [{ post_type: image, aspect_ratio: '\${{ matrix.ratio }}' }]
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:7:16 «5»
        This must be a text or a list, but it is the number 5. For example: ["1:1","9:16"]"
    `);
  });
});
