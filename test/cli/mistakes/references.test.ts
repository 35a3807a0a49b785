import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('references', () => {
  it('an unknown product', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('an unknown product in the form of the service', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('an unknown product where there is none', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", products: [tote] }
`),
    ).toMatchInlineSnapshot();
  });

  it('an unknown concept', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts: { morning: {}, night: {} }
posts:
  a:
    concept: mornig
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`),
    ).toMatchInlineSnapshot();
  });

  it('an id with a digit too few', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`),
    ).toMatchInlineSnapshot();
  });

  it('an id for an unknown environment', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com } } }
concepts:
  night: { id: { stagee: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
`),
    ).toMatchInlineSnapshot();
  });

  it('two items with one key', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: kitchen, post_type: image, aspect_ratio: "1:1" }
      - { key: kitchen, post_type: video, aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });

  it('two concepts for one post', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts: { day: {}, night: {} }
posts:
  a:
    concept: day
    content_pillar: night
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`),
    ).toMatchInlineSnapshot();
  });

  it('two ratios for one item', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", metadata: { aspect_ratio: "4:5" } }
`),
    ).toMatchInlineSnapshot();
  });

  it('two lists of products for one item', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", products: [0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f], assets: [] }
`),
    ).toMatchInlineSnapshot();
  });
});
