import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { type CampaignWords, heroOf } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const A = { descriptions: ['a'], key: 'a' };
const B = { descriptions: ['b'], key: 'b' };
const before = heroOf(A, B);

describe('a rename that the manifest states', () => {
  const bag: CampaignWords = {
    ...before,
    products: { bag: { ...before.products.tote, photos: ['new', 'side'] } },
    posts: {
      hero: {
        items: [
          { ...A, products: ['bag'] },
          { ...B, products: ['bag'] },
        ],
      },
    },
    moved: [{ from: 'product/tote', to: 'product/bag' }],
  };

  it('costs what changed besides', () => {
    const state = stateAfter(before);
    const plan = planOf(bag, state);
    expect(outline(plan)).toEqual([
      '> product/tote → product/bag',
      '+ upload photos/new.jpg',
      '~ product/bag',
      '+ media-config/hero@2',
      '-/+ media/hero/a@2',
      '-/+ media/hero/b@2',
    ]);
    expect(plan.leftAlone).toEqual([]);
  });

  it('is done once, and may stay in the manifest', () => {
    const state = stateAfter(before);
    expect(outline(planOf(bag, applied(planOf(bag, state), state)))).toEqual([]);
  });

  it('says nothing where there is nothing to rename', () => {
    expect(planOf(bag, emptyState()).moves).toEqual([]);
    const unknown = { ...before, moved: [{ from: 'media/x/y', to: 'media/hero/z' }] };
    expect(planOf(unknown, stateAfter(before)).moves).toEqual([]);
  });

  it('does not take the place of what is there', () => {
    const both = { ...before, products: { ...before.products, bag: { photos: ['bag'] } } };
    const words = { ...both, moved: [{ from: 'product/tote', to: 'product/bag' }] };
    expect(planOf(words, stateAfter(both)).moves).toEqual([]);
  });

  it('of an item keeps its takes though it was changed', () => {
    const words = {
      ...heroOf({ ...A, key: 'z', ratio: '4:5' }, B),
      moved: [{ from: 'media/hero/a', to: 'media/hero/z' }],
    };
    expect(outline(planOf(words, stateAfter(before)))).toEqual([
      '> media/hero/a → media/hero/z',
      '+ media-config/hero@2',
      '-/+ media/hero/z@2',
    ]);
  });

  it('of a post takes all its items along, and is told as one move', () => {
    const words = {
      ...before,
      posts: {
        top: {
          items: [
            { ...A, ratio: '4:5' },
            { ...B, key: 'z' },
          ],
        },
      },
      moved: [{ from: 'media/hero', to: 'media/top' }],
    };
    expect(outline(planOf(words, stateAfter(before)))).toEqual([
      '> media/hero/a → media/top/a',
      '> media/hero/b → media/top/z',
      '+ media-config/top@2',
      '-/+ media/top/a@2',
    ]);
  });

  describe('of an item and of its post at once', () => {
    const renamed = (moved: NonNullable<CampaignWords['moved']>): CampaignWords => ({
      ...before,
      posts: {
        lead: {
          items: [
            { ...A, key: 'z', descriptions: ['A'] },
            { ...B, descriptions: ['B'] },
          ],
        },
      },
      moved,
    });
    const item = { from: 'media/hero/a', to: 'media/lead/z' };
    const post = { from: 'media/hero', to: 'media/lead' };

    it.each([
      ['the item first', [item, post]],
      ['the post first', [post, item]],
      ['the item by what its post made of it', [post, { from: 'media/lead/a', to: 'media/lead/z' }]],
    ])('takes each where it goes: %s', (_, moved) => {
      const plan = planOf(renamed(moved), stateAfter(before));
      expect(plan.moves).toHaveLength(2);
      expect(plan.moves).toContainEqual({ from: 'media/hero/a', to: 'media/lead/z' });
      expect(plan.moves).toContainEqual({ from: 'media/hero/b', to: 'media/lead/b' });
      expect(plan).toMatchObject({ newPosts: 2, leftAlone: [] });
      expect(outline(plan)).toContain('-/+ media/lead/z@2');
    });
  });

  it('goes to one place, from one place', () => {
    const words: CampaignWords = {
      ...before,
      posts: { hero: { items: [{ ...A, key: 'c', descriptions: ['C'] }] } },
      moved: [
        { from: 'media/hero/a', to: 'media/hero/c' },
        { from: 'media/hero/b', to: 'media/hero/c' },
      ],
    };
    expect(planOf(words, stateAfter(before)).moves).toEqual([{ from: 'media/hero/a', to: 'media/hero/c' }]);
  });
});

describe('a rename that the manifest states, with keys that move on in the same edit', () => {
  const shelf = { name: 'Shelf', photos: ['1'] };
  const stool = { name: 'Stool', photos: ['2'] };
  const state = stateAfter({ products: { a: shelf, b: stool } });

  it('makes room before something else comes', () => {
    const edited = { products: { b: shelf, c: stool }, moved: [{ from: 'product/a', to: 'product/d' }] };
    const plan = planOf(edited, state);
    expect(outline(plan)).toEqual(['> product/a → product/b', '> product/b → product/c']);
    expect(outline(planOf(edited, applied(plan, state)))).toEqual([]);
  });

  it('is no move where the product has its old key all the same', () => {
    const edited = { products: { a: shelf, b: stool }, moved: [{ from: 'product/a', to: 'product/d' }] };
    expect(outline(planOf(edited, state))).toEqual([]);
  });
});
