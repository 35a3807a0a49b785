import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('keys', () => {
  it('one that is unknown', async () => {
    expect(
      await mistake(`version: 1
name: x
concept:
  night: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('unknown ones at every depth', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('one that is unknown in a product.yaml', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('a text torn at its comma', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { name: Night, description: Neon, wet asphalt }
`),
    ).toMatchInlineSnapshot();
  });

  it('one twice', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { name: Night }
name: y
`),
    ).toMatchInlineSnapshot();
  });

  it('ones twice at every depth', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('a list as key', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  [night, day]: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('no key before the colon', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  : { name: Night }
`),
    ).toMatchInlineSnapshot();
  });

  it('__proto__', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  __proto__: { name: Night }
`),
    ).toMatchInlineSnapshot();
  });

  it('a name with spaces and capitals', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  Wet Night: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('a variable that no expression could name', async () => {
    expect(
      await mistake(`version: 1
name: x
variables: { 1st: spring }
`),
    ).toMatchInlineSnapshot();
  });

  it('required ones of the campaign', async () => {
    expect(
      await mistake(`description: Spring
`),
    ).toMatchInlineSnapshot();
  });

  it('the required one of an environment', async () => {
    expect(
      await mistake(`version: 1
name: x
service:
  environments:
    stage: { api_key_env: KEY }
`),
    ).toMatchInlineSnapshot();
  });

  it('required ones of an item', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - key: kitchen
`),
    ).toMatchInlineSnapshot();
  });

  it('the required one of an asset', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", assets: [{ type: product }] }
`),
    ).toMatchInlineSnapshot();
  });

  it('a post without concept', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`),
    ).toMatchInlineSnapshot();
  });

  it('a post without items', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
`),
    ).toMatchInlineSnapshot();
  });

  it('another version', async () => {
    expect(
      await mistake(`version: 2
name: x
`),
    ).toMatchInlineSnapshot();
  });

  it('what a later release brings', async () => {
    expect(
      await mistake(`version: 1
name: x
budget: { per_run: { posts: 5 } }
posts:
  a:
    every: week
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, aspect_ratio: "1:1" }]
`),
    ).toMatchInlineSnapshot();
  });

  it('an environment with a reserved name', async () => {
    expect(
      await mistake(`version: 1
name: x
service:
  environments:
    emulator: { base_url: https://a.example.com }
    default: { base_url: https://b.example.com }
`),
    ).toMatchInlineSnapshot();
  });
});
