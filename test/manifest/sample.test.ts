import { describe, expect, it } from 'vitest';
import { loaded } from './campaign-folder.ts';

/** The sample of the design, without what is not supported yet; a text with a comma is in quotes inside braces. */
const SAMPLE = `# yaml-language-server: $schema=../../schemas/campaign.schema.json
version: 1
name: spring-launch
description: Spring range

service:
  environments:
    production:
      base_url: https://visuals.example.com/api
      api_key_env: VISUALS_KEY
      limits: { concurrency: 4 }
    stage: { base_url: https://stage.visuals.example.com/api }
  default_environment: stage

variables: { season: spring }

defaults:
  product: { variant: product_with_label }
  item: { aspect_ratio: "1:1" }

product_folders: [photos/*]
products:
  tote:
    name: Canvas tote
    description: Natural canvas, leather handles
  mug:
    images: [shots/mug-*.jpg, https://cdn.example.com/mug.jpg]
    id: { production: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f }

concepts:
  morning:
    name: \${{ vars.season }} morning
    description: Soft side light, linen, pale green
    ref_images: [refs/morning, https://cdn.example.com/mood.jpg]
  night: { name: Night, description: "Neon, wet asphalt" }

posts:
  hero:
    concept: morning
    items:
      - key: kitchen
        post_type: image
        products: [tote, mug]
        aspect_ratio: "4:5"
        variants: [clean]
        descriptions: [Tote on a kitchen chair]
      - post_type: carousel
        assets: [{ type: product, product_id: tote }]
        metadata: { aspect_ratio: "1:1" }
      - post_type: video
        assets: [{ type: product, product_id: tote, url: https://cdn.example.com/tote.jpg }]
        variants: []
        descriptions: [{ description: slow turn }]
        metadata: { aspect_ratio: "9:16" }
  grid:
    matrix:
      concept: [morning, night]
      product: "*"
      ratio: ["1:1", "9:16"]
      exclude: [{ product: mug, ratio: "9:16" }]
      include: [{ concept: night, product: mug, ratio: "16:9" }]
    concept: \${{ matrix.concept }}
    every: week
    timezone: Europe/Berlin
    items:
      - { post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "\${{ matrix.ratio }}" }

limits:
  concurrency: 8
  media_in_flight: 200
  requests_per_second: 50
  media_timeout: 30m

outputs:
  dir: out
  name: "{post}/{instance}/{item}-{post_type}"
`;

const FILES = {
  'photos/tote/front.jpg': 'a',
  'photos/tote/Back.JPG': 'b',
  'photos/tote/notes.txt': 'c',
  'photos/tote/product.yaml': 'name: Tote\nvariant: product_only\n',
  'shots/mug-2.jpg': 'd',
  'shots/mug-1.jpg': 'e',
  'refs/morning/linen.webp': 'f',
};

const MUG_ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

function gridPost(concept: string, product: string, ratio: string) {
  return {
    key: 'grid',
    instance: `${concept}+${product}+${ratio.replace(':', 'x')}+2026-w47`,
    instanceOf: ['concept', 'product', undefined],
    period: { name: '2026-w47', day: '2026-11-22' },
    concept: { key: concept },
    items: [
      {
        post_type: 'image',
        assets: [{ type: 'product', product: { key: product } }],
        variants: [],
        descriptions: [],
        metadata: { aspect_ratio: ratio },
        source: '#/posts/grid/items/0',
      },
    ],
    source: '#/posts/grid',
  };
}

describe('the sample of the design', () => {
  it('becomes this manifest', async () => {
    const { file, folder, locate, ...manifest } = await loaded(SAMPLE, { files: FILES, need: 'environment' });
    expect(file).toBe(`${folder}/campaign.yaml`);
    expect(locate('#/products/tote/description')).toEqual({ file, line: 25, column: 18, length: 31 });
    expect(locate('photos/tote/product.yaml#/name')).toMatchObject({ line: 1, column: 7, length: 4 });
    expect(manifest).toEqual({
      name: 'spring-launch',
      namesEnvironments: true,
      description: 'Spring range',
      environment: { name: 'stage', baseUrl: 'https://stage.visuals.example.com/api', gaps: {} },
      products: [
        {
          key: 'tote',
          name: 'Canvas tote',
          description: 'Natural canvas, leather handles',
          variant: 'product_only',
          images: [
            { file: 'photos/tote/Back.JPG', source: '#/product_folders/0' },
            { file: 'photos/tote/front.jpg', source: '#/product_folders/0' },
          ],
          source: '#/products/tote',
        },
        {
          key: 'mug',
          name: 'mug',
          variant: 'product_with_label',
          images: [
            { file: 'shots/mug-1.jpg', source: '#/products/mug/images/0' },
            { file: 'shots/mug-2.jpg', source: '#/products/mug/images/0' },
            { url: 'https://cdn.example.com/mug.jpg', source: '#/products/mug/images/1' },
          ],
          source: '#/products/mug',
        },
      ],
      concepts: [
        {
          key: 'morning',
          name: 'spring morning',
          description: 'Soft side light, linen, pale green',
          refImages: [
            { file: 'refs/morning/linen.webp', source: '#/concepts/morning/ref_images/0' },
            { url: 'https://cdn.example.com/mood.jpg', source: '#/concepts/morning/ref_images/1' },
          ],
          source: '#/concepts/morning',
        },
        {
          key: 'night',
          name: 'Night',
          description: 'Neon, wet asphalt',
          refImages: [],
          source: '#/concepts/night',
        },
      ],
      posts: [
        {
          key: 'hero',
          concept: { key: 'morning' },
          items: [
            {
              key: 'kitchen',
              post_type: 'image',
              assets: [
                { type: 'product', product: { key: 'tote' } },
                { type: 'product', product: { key: 'mug' } },
              ],
              variants: ['clean'],
              descriptions: ['Tote on a kitchen chair'],
              metadata: { aspect_ratio: '4:5' },
              source: '#/posts/hero/items/0',
            },
            {
              post_type: 'carousel',
              assets: [{ type: 'product', product: { key: 'tote' } }],
              variants: [],
              descriptions: [],
              metadata: { aspect_ratio: '1:1' },
              source: '#/posts/hero/items/1',
            },
            {
              post_type: 'video',
              assets: [
                { type: 'product', product: { key: 'tote' }, url: 'https://cdn.example.com/tote.jpg' },
              ],
              variants: [],
              descriptions: ['slow turn'],
              metadata: { aspect_ratio: '9:16' },
              source: '#/posts/hero/items/2',
            },
          ],
          source: '#/posts/hero',
        },
        gridPost('morning', 'tote', '1:1'),
        gridPost('morning', 'tote', '9:16'),
        gridPost('morning', 'mug', '1:1'),
        gridPost('night', 'tote', '1:1'),
        gridPost('night', 'tote', '9:16'),
        gridPost('night', 'mug', '1:1'),
        gridPost('night', 'mug', '16:9'),
      ],
      productSources: ['photos/*'],
      postPlans: ['hero', 'grid'],
      periods: [
        { post: 'grid', every: 'week', timezone: 'Europe/Berlin', name: '2026-w47', day: '2026-11-22' },
      ],
      limits: { total: 8, perKind: {}, mediaInFlight: 200, requestsPerSecond: 50, mediaTimeoutMs: 1_800_000 },
      outputs: { dir: 'out', name: '{post}/{instance}/{item}-{post_type}' },
      outside: 'refuse',
    });
  });

  it('has the known id and the limits of the environment that --env names', async () => {
    const manifest = await loaded(SAMPLE, { files: FILES, need: 'environment', environment: 'production' });
    expect(manifest.environment).toEqual({
      name: 'production',
      baseUrl: 'https://visuals.example.com/api',
      apiKeyEnv: 'VISUALS_KEY',
      gaps: {},
    });
    expect(manifest.products.map(({ id }) => id)).toEqual([undefined, MUG_ID]);
    expect(manifest.limits.total).toBe(4);
  });

  it('takes a variable that was given', async () => {
    const manifest = await loaded(SAMPLE, { files: FILES, variables: new Map([['season', 'summer']]) });
    expect(manifest.concepts[0]?.name).toBe('summer morning');
  });
});
