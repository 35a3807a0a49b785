import { describe, expect, it } from 'vitest';
import type { Reason } from '../../src/model/plan.ts';
import { differences } from '../../src/plan/reasons.ts';
import { type CampaignWords, heroOf, sha256 } from '../support/campaign.ts';
import { applied, planOf, stateAfter } from '../support/play-plan.ts';

describe('differences', () => {
  it.each([
    ['equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['members in another order', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
    ['a value', { a: 1 }, { a: 2 }, [{ summary: 'changed', field: 'a', from: 1, to: 2, source: '#/a' }]],
    [
      'null and a value',
      { a: null },
      { a: 2 },
      [{ summary: 'changed', field: 'a', from: null, to: 2, source: '#/a' }],
    ],
    ['a member more', {}, { a: 2 }, [{ summary: 'added', field: 'a', to: 2, source: '#/a' }]],
    ['a member less', { a: 1 }, {}, [{ summary: 'removed', field: 'a', from: 1, source: '#/a' }]],
    [
      'within lists of one length',
      { a: [{ b: 1 }, 'x'] },
      { a: [{ b: 2 }, 'x'] },
      [{ summary: 'changed', field: 'a[0].b', from: 1, to: 2, source: '#/a/0/b' }],
    ],
    [
      'a list of another length',
      { a: ['x'] },
      { a: ['x', 'y'] },
      [{ summary: 'changed', field: 'a', from: ['x'], to: ['x', 'y'], source: '#/a' }],
    ],
    [
      'names that need escaping',
      { 'a/b': { '~': 1 } },
      { 'a/b': { '~': 2 } },
      [{ summary: 'changed', field: 'a/b.~', from: 1, to: 2, source: '#/a~1b/~0' }],
    ],
    [
      'another kind of value',
      { a: { b: 1 } },
      { a: ['b'] },
      [{ summary: 'changed', field: 'a', from: { b: 1 }, to: ['b'], source: '#/a' }],
    ],
  ])('of %s', (_, before, after, expected) => {
    expect(differences(before, after, { source: '#', objects: new Map() })).toEqual(expected);
  });
});

/** Why the only post of `after` is replaced, where `before` was applied. */
function reasonsOf(before: CampaignWords, after: CampaignWords): readonly Reason[] {
  const replaced = planOf(after, stateAfter(before)).nodes.filter(({ kind }) => kind === 'media');
  return replaced.flatMap(({ reasons }) => reasons);
}

describe('the reasons of a replacement', () => {
  const before = heroOf({ products: ['tote'] });
  const mug = { photos: ['cup'] };

  it('lead a changed product back to its photo', () => {
    const after = { ...before, products: { tote: { ...before.products.tote, photos: ['front', 'new'] } } };
    expect(reasonsOf(before, after)).toEqual([
      {
        summary: 'product/tote changed',
        field: 'assets[0].product',
        source: '#/posts/hero/items/0/assets/0/product',
        address: 'product/tote',
        because: [
          {
            summary: 'changed',
            field: 'images[1]',
            from: sha256('side'),
            to: sha256('new'),
            source: '#/products/tote/images/1',
            photos: { [sha256('new')]: 'photos/new.jpg' },
          },
        ],
      },
    ]);
  });

  it('lead a changed concept back to its words', () => {
    const after = { ...before, concepts: { morning: { description: 'Hard light', name: 'Noon' } } };
    expect(reasonsOf(before, after)).toEqual([
      {
        summary: 'concept/morning changed',
        field: 'concept',
        source: '#/posts/hero/items/0/concept',
        address: 'concept/morning',
        because: [
          {
            summary: 'changed',
            field: 'description',
            from: 'Soft light',
            to: 'Hard light',
            source: '#/concepts/morning/description',
          },
          { summary: 'added', field: 'name', to: 'Noon', source: '#/concepts/morning/name' },
        ],
      },
    ]);
  });

  it('lead back over versions that were applied without this post', () => {
    const first = stateAfter(before);
    const second = { ...before, concepts: { morning: { description: 'Hard light' } } };
    const held = applied(planOf(second, first, { replacements: 'hold' }), first);
    const third = { ...before, concepts: { morning: { description: 'No light' } } };
    const media = planOf(third, held).nodes.find(({ kind }) => kind === 'media');
    expect(media?.reasons[0]?.because).toMatchObject([
      { field: 'description', from: 'Soft light', to: 'No light' },
    ]);
  });

  it('name both where another product took its place', () => {
    const words = { ...before, products: { ...before.products, mug } };
    const after = { ...words, posts: { hero: { items: [{ products: ['mug'] }] } } };
    expect(reasonsOf(words, after)).toEqual([
      {
        summary: 'changed',
        field: 'assets[0].product',
        from: 'product/tote',
        to: 'product/mug',
        source: '#/posts/hero/items/0/assets/0/product',
      },
    ]);
  });

  it('name the new one alone where the old one is unknown here', () => {
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    expect(reasonsOf({ ...before, posts: { hero: { items: [{ products: [id] }] } } }, before)).toEqual([
      {
        summary: 'changed',
        field: 'assets[0].product',
        to: 'product/tote',
        source: '#/posts/hero/items/0/assets/0/product',
      },
    ]);
  });

  it('show no fingerprint where the new one is known by its id only', () => {
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    expect(reasonsOf(before, { ...before, posts: { hero: { concept: id, items: [{}] } } })).toEqual([
      { summary: 'changed', field: 'concept', source: '#/posts/hero/items/0/concept' },
    ]);
  });

  it('show what an item itself says, in the order of the fields', () => {
    const after = heroOf({ products: ['tote'], ratio: '4:5', variants: ['clean'], type: 'video' });
    expect(reasonsOf(before, after).map(({ field, from, to }) => [field, from, to])).toEqual([
      ['metadata.aspect_ratio', '1:1', '4:5'],
      ['post_type', 'image', 'video'],
      ['variants', [], ['clean']],
    ]);
  });

  it('show products by their address where their number changed', () => {
    const words = { ...before, products: { ...before.products, mug } };
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const foreign = { ...words, posts: { hero: { items: [{ products: ['tote', id, id] }] } } };
    const after = { ...words, posts: { hero: { items: [{ products: ['tote', 'mug'] }] } } };
    expect(reasonsOf(foreign, after)).toEqual([
      {
        summary: 'changed',
        field: 'assets',
        from: [
          { type: 'product', product: 'product/tote' },
          { type: 'product', product: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
          { type: 'product', product: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
        ],
        to: [
          { type: 'product', product: 'product/tote' },
          { type: 'product', product: 'product/mug' },
        ],
        source: '#/posts/hero/items/0/assets',
      },
    ]);
  });
});
