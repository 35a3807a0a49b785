import { describe, expect, it } from 'vitest';
import { buildGraph } from '../../src/graph/build-graph.ts';
import { type CampaignWords, graphOf, manifestOf, sha256, upload } from '../support/campaign.ts';

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
