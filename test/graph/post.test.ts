import { describe, expect, it } from 'vitest';
import type { GraphItem } from '../../src/model/graph.ts';
import { fingerprint as fingerprintOf } from '../../src/graph/objects.ts';
import { type CampaignWords, graphOf, heroOf } from '../support/campaign.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

describe('a post of a graph', () => {
  it('has the path of its instance', () => {
    const { posts } = graphOf({
      ...heroOf(),
      posts: { hero: { items: [{}] }, 'grid/morning+tote': { items: [{}], numberOfPosts: 3 } },
    });
    expect(posts.map((post) => ({ ...post, items: post.items.length }))).toEqual([
      {
        path: 'hero',
        concept: { address: 'concept/morning' },
        items: 1,
        source: '#/posts/hero',
      },
      {
        path: 'grid/morning+tote',
        instanceOf: ['concept', 'product'],
        concept: { address: 'concept/morning' },
        numberOfPosts: 3,
        items: 1,
        source: '#/posts/grid',
      },
    ]);
  });

  it('has no number of posts where it is that of its items', () => {
    const { posts } = graphOf({ ...heroOf(), posts: { hero: { items: [{}], numberOfPosts: 1 } } });
    expect(posts[0]).not.toHaveProperty('numberOfPosts');
  });

  it('has the fingerprint of all its inputs, whatever it shares with other instances', () => {
    const { posts } = graphOf(heroOf({ key: 'a' }));
    const items = posts.flatMap((post) => post.items);
    expect(items.map(({ fingerprint }) => fingerprint)).toEqual(
      items.map(({ inputs }) => fingerprintOf('media', inputs)),
    );
  });

  it('cannot refer to what there is not', () => {
    expect(() => graphOf({ posts: { hero: { items: [] } } })).toThrow(
      'reference was not checked: concept/morning',
    );
  });
});

describe('an item of a graph', () => {
  const itemOf = (words: CampaignWords): GraphItem => {
    const item = graphOf(words).posts[0]?.items[0];
    if (!item) throw new Error('no item');
    return item;
  };
  const base = heroOf({ products: ['tote'], descriptions: ['On a chair'] });
  const MUG = { photos: ['cup'] };

  it('means what is asked for, its products and its concept', () => {
    const { objects } = graphOf(base);
    expect(itemOf(base)).toEqual({
      inputs: {
        post_type: 'image',
        metadata: { aspect_ratio: '1:1' },
        variants: [],
        descriptions: ['On a chair'],
        assets: [{ type: 'product', product: objects.get('product/tote')?.fingerprint }],
        concept: objects.get('concept/morning')?.fingerprint,
      },
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      payload: {
        post_type: 'image',
        assets: [{ type: 'product', product: { address: 'product/tote' } }],
        variants: [],
        descriptions: ['On a chair'],
        metadata: { aspect_ratio: '1:1' },
      },
      products: ['product/tote'],
      source: '#/posts/hero/items/0',
    });
  });

  it('shows products known by id, through a key or not, without waiting for them', () => {
    const byId = itemOf({ ...base, posts: { hero: { items: [{ products: [ID, 'tote', 'tote'] }] } } });
    expect(byId.products).toEqual(['product/tote']);
    const byKey = itemOf({
      ...base,
      products: { mug: { id: ID, ...MUG }, ...base.products },
      posts: { hero: { items: [{ products: ['mug', 'tote', 'tote'] }] } },
    });
    expect(byKey.products).toEqual(['product/tote']);
    expect(byKey.payload.assets[0]).toEqual({ type: 'product', product: { id: ID } });
    expect(byKey.fingerprint).toBe(byId.fingerprint);
  });

  it('is under a concept known by id, through a key or not', () => {
    const concepts = { ...base.concepts, night: { id: ID } };
    const post = (concept: string) => ({ ...base, concepts, posts: { hero: { concept, items: [{}] } } });
    expect(itemOf(post(ID)).fingerprint).toBe(itemOf(post('night')).fingerprint);
    expect(graphOf(post('night')).posts[0]?.concept).toEqual({ id: ID });
  });

  const words = { products: ['tote'], descriptions: ['On a chair'] };
  it.each([
    ['its key', heroOf({ ...words, key: 'kitchen' })],
    ['its post', { ...base, posts: { top: base.posts.hero } }],
    [
      'the key of its product',
      {
        ...base,
        products: { bag: base.products.tote },
        posts: { hero: { items: [{ ...words, products: ['bag'] }] } },
      },
    ],
    ['the order of its metadata', heroOf({ ...words, metadata: {} })],
  ])('does not mean %s', (_, other) => {
    expect(itemOf(other).fingerprint).toBe(itemOf(base).fingerprint);
  });

  it.each<[string, CampaignWords]>([
    ['its kind', heroOf({ ...words, type: 'video' })],
    ['its ratio', heroOf({ ...words, ratio: '4:5' })],
    ['its other metadata', heroOf({ ...words, metadata: { tone: 'warm' } })],
    ['its variants', heroOf({ ...words, variants: ['clean'] })],
    ['its descriptions', heroOf({ ...words, descriptions: [] })],
    ['its products', heroOf({ ...words, products: ['tote', 'tote'] })],
    ['a written url', heroOf({ ...words, urls: ['https://cdn.example/tote.jpg'] })],
    ['what its product means', { ...base, products: { tote: MUG } }],
    ['what its concept means', { ...base, concepts: { morning: { description: 'Hard' } } }],
  ])('means %s', (_, other) => {
    expect(itemOf(other).fingerprint).not.toBe(itemOf(base).fingerprint);
  });
});
