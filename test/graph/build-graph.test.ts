import { describe, expect, it } from 'vitest';
import { buildGraph } from '../../src/graph/build-graph.ts';
import type { GraphItem } from '../../src/model/graph.ts';
import { type CampaignWords, graphOf, heroOf, manifestOf, sha256, upload } from '../support/campaign.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

function addresses(words: CampaignWords): string[] {
  return [...graphOf(words).objects.keys()];
}

describe('the objects of a graph', () => {
  it('are uploads, then products, then concepts', () => {
    expect(
      addresses({
        products: { tote: { photos: ['front'] } },
        concepts: { morning: { refs: ['linen'] } },
      }),
    ).toEqual([upload('front'), upload('linen'), 'product/tote', 'concept/morning']);
  });

  it('share an upload where they share a photo, whatever its name', () => {
    const graph = graphOf({
      products: { tote: { photos: ['a=front'] }, bag: { photos: ['b=front', 'side'] } },
      concepts: { morning: { refs: ['c=front'] } },
    });
    expect([...graph.objects.keys()]).toEqual([
      upload('front'),
      upload('side'),
      'product/tote',
      'product/bag',
      'concept/morning',
    ]);
    expect(graph.objects.get(upload('front'))).toMatchObject({
      inputs: { sha256: sha256('front') },
      payload: { file: 'photos/a.jpg', bytes: 1_500_000, contentType: 'image/jpeg' },
      source: '#/products/tote/images/0',
    });
    expect(graph.objects.get('product/bag')?.dependsOn).toEqual([upload('front'), upload('side')]);
  });

  it('depend on a photo once that they show twice', () => {
    const product = graphOf({ products: { tote: { photos: ['front', 'side', 'again=front'] } } }).objects.get(
      'product/tote',
    );
    expect(product?.dependsOn).toEqual([upload('front'), upload('side')]);
    expect(product?.inputs['images']).toEqual([sha256('front'), sha256('side'), sha256('front')]);
  });

  it('send URLs as they are written, without an upload', () => {
    const url = 'https://cdn.example/mug.jpg';
    const graph = graphOf({
      products: { mug: { photos: ['cup', url] } },
      concepts: { night: { refs: [url] } },
    });
    expect(graph.objects.get('product/mug')?.payload).toEqual({
      name: 'mug',
      variant: 'plain',
      images: [{ upload: upload('cup') }, { url }],
    });
    expect(graph.objects.get('concept/night')).toMatchObject({
      dependsOn: [],
      inputs: { ref_images: [url] },
      payload: { name: 'night', ref_images: [{ url }] },
    });
  });

  it('that exist already mean their id, and need no upload', () => {
    const graph = graphOf({
      products: { mug: { id: ID, photos: ['cup'] } },
      concepts: { night: { id: ID.toUpperCase(), refs: ['linen'], description: 'Neon' } },
    });
    expect([...graph.objects.keys()]).toEqual(['product/mug', 'concept/night']);
    expect(graph.objects.get('product/mug')).toMatchObject({
      inputs: { id: ID },
      external: ID,
      dependsOn: [],
    });
    expect(graph.objects.get('concept/night')).toMatchObject({
      inputs: { id: ID },
      external: ID.toUpperCase(),
    });
  });

  it('cannot be built from a photo that was not hashed', () => {
    const { manifest } = manifestOf({ products: { tote: { photos: ['front'] } } });
    expect(() => buildGraph(manifest, new Map())).toThrow('image was not hashed: photos/front.jpg');
  });
});

describe('the fingerprint of a product', () => {
  const print = (words: NonNullable<CampaignWords['products']>[string], key = 'tote') =>
    graphOf({ products: { [key]: words } }).objects.get(`product/${key}`)?.fingerprint;
  const base = { photos: ['front', 'side'], description: 'Canvas' };

  it.each([
    ['its key', print(base, 'bag')],
    ['its name where it is the default', print({ ...base, name: 'tote' })],
    ['the names of its files', print({ ...base, photos: ['a=front', 'b=side'] })],
  ])('does not cover %s', (_, other) => {
    expect(other).toBe(print(base));
  });

  it.each([
    ['its name', print({ ...base, name: 'Canvas tote' })],
    ['its description', print({ ...base, description: '' })],
    ['a description that is absent', print({ photos: base.photos })],
    ['its variant', print({ ...base, variant: 'worn' })],
    ['its photos', print({ ...base, photos: ['front'] })],
    ['the order of its photos', print({ ...base, photos: ['side', 'front'] })],
    ['its id', print({ ...base, id: ID })],
  ])('covers %s', (_, other) => {
    expect(other).not.toBe(print(base));
  });
});

describe('the fingerprint of a concept', () => {
  const print = (words: NonNullable<CampaignWords['concepts']>[string], key = 'morning') =>
    graphOf({ concepts: { [key]: words } }).objects.get(`concept/${key}`)?.fingerprint;
  const base = { description: 'Soft light', refs: ['linen', 'sand'] };

  it.each([
    ['its key', print(base, 'dawn')],
    ['its name where it is the default', print({ ...base, name: 'morning' })],
  ])('does not cover %s', (_, other) => {
    expect(other).toBe(print(base));
  });

  it.each([
    ['its name', print({ ...base, name: 'Morning' })],
    ['its description', print({ refs: base.refs })],
    ['the order of its references', print({ ...base, refs: ['sand', 'linen'] })],
    ['its id', print({ ...base, id: ID })],
  ])('covers %s', (_, other) => {
    expect(other).not.toBe(print(base));
  });

  it('is not that of a product of the same id', () => {
    const { objects } = graphOf({ products: { a: { id: ID } }, concepts: { a: { id: ID } } });
    expect(objects.get('product/a')?.fingerprint).not.toBe(objects.get('concept/a')?.fingerprint);
  });
});

describe('a post of a graph', () => {
  it('has the path of its instance', () => {
    const { posts } = graphOf({
      ...heroOf(),
      posts: { hero: { items: [{}] }, 'grid/morning+tote': { items: [{}], numberOfPosts: 3 } },
    });
    expect(posts.map((post) => ({ ...post, items: post.items.length }))).toEqual([
      {
        path: 'hero',
        key: 'hero',
        concept: { address: 'concept/morning' },
        items: 1,
        source: '#/posts/hero',
      },
      {
        path: 'grid/morning+tote',
        key: 'grid',
        instance: 'morning+tote',
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
