import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('outputs', () => {
  it('outside the folder of the manifest', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { dir: ../out }
`),
    ).toMatchInlineSnapshot();
  });

  it('with a name that leads out', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { name: "../{post}" }
`),
    ).toMatchInlineSnapshot();
  });

  it('with an unknown placeholder', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { name: "{post}/{itme}-{format}" }
`),
    ).toMatchInlineSnapshot();
  });

  it('with an open placeholder', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { name: "{post}/{item" }
`),
    ).toMatchInlineSnapshot();
  });

  it('with one name for two items', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { name: "{post}-{post_type}" }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: kitchen, post_type: image, aspect_ratio: "1:1" }
      - { key: street, post_type: image, aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });

  it('with one name for two combinations', async () => {
    expect(
      await mistake(
        `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
outputs: { name: "{post}/{item}" }
`,
        { files: { 'm.png': 'photo', 't.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('with one name for a picture and a page of a carousel', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: { name: "{post}/{item}" }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: tour, post_type: carousel, aspect_ratio: "1:1" }
      - { key: tour-2, post_type: image, aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });
});
