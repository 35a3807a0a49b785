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
        Every value of it would ask for the same posts again. Use \${{ matrix.season }} in the concept or an item, or remove it."
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
        "1:1" and "1x1" both become "1x1" in addresses. Change or remove one.
      duplicate-slug campaign.yaml:8:34 «'4:5'»
        "4:5" stands here twice. Remove one."
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
        "*" is every product for a key named product, every concept for one named concept. List the values here."
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
        It does not have the form that is needed here. The values of one matrix key, or "*" for every product or concept. Example: ["1:1","9:16"]"
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
        A matrix value becomes part of an address; write one."
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
        "dya" is none of the values of concept, so nothing is excluded. Did you mean "day"?"
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
        It says nothing of ratio. An included combination names every key of the matrix."
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
        The matrix makes this combination already. Remove it here."
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
        No combination of values is left. Name at least one key with values, and exclude less."
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
        No combination of values is left. Name at least one key with values, and exclude less."
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
        125,000 combinations; at most 100,000 are made. Split the post."
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
        It does not have the form that is needed here. A stable name of the item; without it an item is known by its content, then by its place. Not only digits: numbers are what items without a key get. Example: kitchen
      invalid-value campaign.yaml:10:54 «'\${{ matrix.kind }}'»
        "story" is none of image, video, carousel."
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
        Expected a text or a list, found 5. Example: ["1:1","9:16"]"
    `);
  });
});
