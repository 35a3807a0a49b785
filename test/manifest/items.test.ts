import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item as ItemEntry } from '../../src/manifest/generated/campaign-document.js';
import { createProblems } from '../../src/document/problems.ts';
import { normaliseItem, spellItem } from '../../src/manifest/items.ts';
import { loaded } from './campaign-folder.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

function normalised(entry: ItemEntry, defaults: ItemEntry = {}) {
  const problems = createProblems();
  const products = {
    kind: 'product',
    keys: new Set(['tote', 'mug']),
    complete: true,
  } as const;
  const spelled = spellItem(defaults, '#/d', problems);
  const item = normaliseItem(entry, {
    source: '#/i',
    defaults: spelled,
    products,
    problems,
    origin: (at) => at,
  });
  return { item, problems: problems.all() };
}

describe('the three spellings of an item', () => {
  const spellings: Record<string, ItemEntry> = {
    short: { post_type: 'image', products: ['tote', 'mug'], aspect_ratio: '4:5', descriptions: ['a chair'] },
    guide: {
      post_type: 'image',
      assets: [
        { type: 'product', product_id: 'tote' },
        { type: 'product', product_id: 'mug' },
      ],
      metadata: { aspect_ratio: '4:5' },
      descriptions: [{ description: 'a chair' }],
    },
    schema: {
      post_type: 'image',
      assets: [{ product_id: 'tote' }, { product_id: 'mug' }],
      variants: [],
      descriptions: [{ description: 'a chair' }],
      metadata: { aspect_ratio: '4:5' },
    },
    twice: {
      post_type: 'image',
      products: ['tote', 'mug'],
      assets: [{ product_id: 'tote' }, { product_id: 'mug' }],
      aspect_ratio: '4:5',
      metadata: { aspect_ratio: '4:5' },
      descriptions: ['a chair'],
    },
  };

  it.each(Object.entries(spellings))('%s', (_, entry) => {
    expect(normalised(entry)).toEqual({
      item: {
        post_type: 'image',
        assets: [
          { type: 'product', product: { key: 'tote' } },
          { type: 'product', product: { key: 'mug' } },
        ],
        variants: [],
        descriptions: ['a chair'],
        metadata: { aspect_ratio: '4:5' },
        source: '#/i',
      },
      problems: [],
    });
  });

  it('are equal for every item', () => {
    const parts = fc.record({
      post_type: fc.constantFrom('image', 'video', 'carousel' as const),
      products: fc.array(fc.constantFrom('tote', 'mug')),
      ratio: fc.constantFrom('1:1', '4:5'),
      texts: fc.array(fc.string()),
      more: fc.dictionary(fc.constantFrom('style', 'seed'), fc.jsonValue()),
    });
    fc.assert(
      fc.property(parts, ({ post_type, products, ratio, texts, more }) => {
        const short = {
          post_type,
          products,
          aspect_ratio: ratio,
          descriptions: texts,
          metadata: more,
        } as const;
        const long = {
          post_type,
          assets: products.map((product_id) => ({ type: 'product', product_id })),
          metadata: { ...more, aspect_ratio: ratio },
          descriptions: texts.map((description) => ({ description })),
          variants: [],
        } as const;
        expect(normalised(short as unknown as ItemEntry)).toEqual(normalised(long as unknown as ItemEntry));
      }),
    );
  });
});

describe('an item', () => {
  it('has the defaults, member by member of the metadata', () => {
    const defaults = {
      post_type: 'image',
      aspect_ratio: '1:1',
      metadata: { style: 'film', seed: 1 },
      products: ['mug'],
    };
    expect(normalised({ metadata: { seed: 2 } }, defaults as unknown as ItemEntry).item).toMatchObject({
      post_type: 'image',
      assets: [{ product: { key: 'mug' } }],
      metadata: { aspect_ratio: '1:1', style: 'film', seed: 2 },
    });
  });

  it('overrides the default of an asset list in the other spelling', () => {
    const defaults = { post_type: 'image', aspect_ratio: '1:1', products: ['mug'] } as const;
    const { item } = normalised({ assets: [] }, defaults as unknown as ItemEntry);
    expect(item?.assets).toEqual([]);
  });

  it('takes ids of products that the manifest does not describe', () => {
    const { item } = normalised({
      post_type: 'video',
      aspect_ratio: '9:16',
      assets: [{ type: 'logo', product_id: ID.toUpperCase(), url: 'https://cdn.example.com/a.png' }],
    });
    expect(item?.assets).toEqual([
      { type: 'logo', product: { id: ID }, url: 'https://cdn.example.com/a.png' },
    ]);
  });

  it('keeps its key, and its post the number of posts', async () => {
    const manifest = await loaded(`version: 1
name: x
posts:
  a:
    content_pillar: ${ID}
    number_of_posts: 3
    items: [{ key: one, post_type: image, aspect_ratio: "1:1" }]
`);
    expect(manifest.posts[0]).toMatchObject({
      concept: { id: ID },
      numberOfPosts: 3,
      items: [{ key: 'one' }],
    });
  });
});
