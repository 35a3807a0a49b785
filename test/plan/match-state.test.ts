import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { type CampaignWords, heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, EVIDENCE, outline, planOf, stateAfter } from '../support/play-plan.ts';

const POSTS = { posts: {}, concepts: {} };
const TOTE = { photos: ['front'], description: 'Canvas' };
const BEFORE = { ...POSTS, products: { tote: TOTE } };

describe('an object with another key', () => {
  it('moves, and is there afterwards', () => {
    const state = stateAfter(BEFORE);
    const after = { ...POSTS, products: { bag: TOTE } };
    const plan = planOf(after, state);
    expect(outline(plan)).toEqual(['> product/tote → product/bag']);
    const moved = applied(plan, state);
    expect(moved.objects.get('product/bag')?.result).toEqual({ id: 'id of product/tote' });
    expect(outline(planOf(after, moved))).toEqual([]);
  });

  it('moves where its text changed too, and no other product has its photos', () => {
    const plan = planOf({ ...POSTS, products: { bag: { ...TOTE, description: 'x' } } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['> product/tote → product/bag', '~ product/bag']);
    expect(plan.leftAlone).toEqual([]);
  });

  it('takes its posts along then, and they are asked about', () => {
    const concepts = { morning: { description: 'Soft' } };
    const before = { ...BEFORE, concepts, posts: { 'grid/tote': { items: [{ products: ['tote'] }] } } };
    const bag = { ...TOTE, description: 'x' };
    const after = { concepts, products: { bag }, posts: { 'grid/bag': { items: [{ products: ['bag'] }] } } };
    const plan = planOf(after, stateAfter(before), { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 0, held: [{ address: 'media/grid/bag/1' }] });
  });

  it('is a new one where nothing but its place suggests that it is the same', () => {
    const other = { photos: ['other'], description: 'Leather' };
    expect(outline(planOf({ ...POSTS, products: { bag: other } }, stateAfter(BEFORE)))).toEqual([
      '+ upload photos/other.jpg',
      '+ product/bag',
    ]);
  });

  it.each([
    ['its text', { photos: ['other'], description: 'Canvas' }],
    ['one of its photos', { photos: ['other', 'front'], description: 'Leather' }],
  ])('moves where only %s is left, which no other product has', (_, bag) => {
    const state = stateAfter(BEFORE);
    expect(planOf({ ...POSTS, products: { bag } }, state).moves).toHaveLength(1);
    expect(planOf({ ...POSTS, products: { bag, sack: bag } }, state).moves).toEqual([]);
  });

  it('moves where others have its photos, too: what is more is new', () => {
    const edited = { ...TOTE, description: 'x' };
    const twice = planOf({ ...POSTS, products: { bag: edited, sack: edited } }, stateAfter(BEFORE));
    expect(outline(twice)).toEqual(['> product/tote → product/bag', '~ product/bag', '+ product/sack']);
  });

  it('moves in the order of the keys where several are the same; what is more is new', () => {
    const plan = planOf({ ...POSTS, products: { sack: TOTE, bag: TOTE } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['> product/tote → product/bag', '+ product/sack']);
    const state = stateAfter({ ...POSTS, products: { tote: TOTE, sack: TOTE } });
    const fewer = planOf({ ...POSTS, products: { bag: TOTE } }, state);
    expect(outline(fewer)).toEqual(['> product/sack → product/bag']);
    expect(fewer.leftAlone).toEqual(['product/tote']);
    const all = planOf({ ...POSTS, products: { b: TOTE, a: TOTE } }, state);
    expect(all.moves).toEqual([
      { from: 'product/sack', to: 'product/a' },
      { from: 'product/tote', to: 'product/b' },
    ]);
  });

  it('is a new one where the old key is still named', () => {
    const plan = planOf({ ...POSTS, products: { tote: TOTE, bag: TOTE } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['+ product/bag']);
  });

  it('moves where its key was given on to something else, and its posts with it', () => {
    const wall = (products: CampaignWords['products'] = {}): CampaignWords => ({
      products,
      concepts: { morning: {} },
      posts: Object.fromEntries(Object.keys(products).map((key) => [`wall/${key}`, { items: itemsOf(key) }])),
    });
    const one = (key: string) => [{ products: [key], descriptions: [`A ${key}`] }];
    let itemsOf: (key: string) => readonly ItemWords[] = one;
    const [a, b, c] = ['a', 'b', 'c'].map((photo) => ({ photos: [photo] }));
    if (!a || !b || !c) throw new Error('three products');
    const state = stateAfter(wall({ tote: a, mug: b, cap: c }));
    const next = wall({ mug: a, cap: b, hat: c });
    const held = planOf(next, state, { replacements: 'hold' });
    expect(held.moves).toEqual([
      { from: 'product/cap', to: 'product/hat' },
      { from: 'product/mug', to: 'product/cap' },
      { from: 'product/tote', to: 'product/mug' },
      { from: 'media/wall/cap/1', to: 'media/wall/hat/1' },
      { from: 'media/wall/mug/1', to: 'media/wall/cap/1' },
      { from: 'media/wall/tote/1', to: 'media/wall/mug/1' },
    ]);
    expect([held.newPosts, held.held.length, held.leftAlone]).toEqual([0, 3, []]);
    itemsOf = (key) => [...one(key), { products: [key], ratio: '9:16' }];
    expect(planOf(wall(next.products), state, { replacements: 'hold' })).toMatchObject({ newPosts: 3 });
    itemsOf = one;
    // Another product in its place is a new one.
    const other = planOf(wall({ tote: { photos: ['new'] }, old: a, mug: b, cap: c }), state);
    expect(outline(other).slice(0, 2)).toEqual([
      '> product/tote → product/old',
      '> media/wall/tote/1 → media/wall/old/1',
    ]);
    expect(outline(other)).toContain('+ media/wall/tote/2@2');
  });

  it('never moves onto an object that is known by its id', () => {
    const plan = planOf(
      { ...POSTS, products: { bag: { ...TOTE, id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' } } },
      stateAfter(BEFORE),
    );
    expect(outline(plan)).toEqual([]);
    expect(plan.leftAlone).toEqual(['product/tote']);
  });

  it('moves while its create is unknown, and is not bought under its new name', () => {
    const state = stateAfter(heroOf({}), { 'product/tote': 'unknown' });
    const { tote } = heroOf().products;
    const after = {
      ...heroOf(),
      products: { bag: tote },
      posts: { hero: { items: [{ products: ['bag'] }] } },
    };
    const plan = planOf(after, state);
    expect(outline(plan)).toEqual([
      '> product/tote → product/bag',
      '! media-config/hero@1',
      '! media/hero/1@1',
    ]);
    expect(plan.unknown).toEqual([
      { address: 'product/bag', source: '#/products/bag', counts: 1, evidence: EVIDENCE },
    ]);
  });

  it('moves and is created where its create was rejected', () => {
    const state = stateAfter(BEFORE, { 'product/tote': 'rejected' });
    const plan = planOf({ ...POSTS, products: { bag: TOTE } }, state);
    expect(outline(plan)).toEqual(['> product/tote → product/bag', '+ product/bag']);
  });

  it('does not move in an empty state', () => {
    expect(planOf(BEFORE, emptyState()).moves).toEqual([]);
  });
});
