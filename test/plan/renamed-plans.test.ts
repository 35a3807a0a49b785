import { describe, expect, it } from 'vitest';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const A: ItemWords = { descriptions: ['a'] };
const B: ItemWords = { descriptions: ['b'] };
const OBJECTS = { products: { tote: { photos: ['front'] } }, concepts: { morning: { description: 'Soft' } } };

const plans = (posts: Readonly<Record<string, readonly ItemWords[]>>): CampaignWords => ({
  ...OBJECTS,
  posts: Object.fromEntries(Object.entries(posts).map(([path, items]) => [path, { items }])),
});
const harder = (words: CampaignWords): CampaignWords => ({
  ...words,
  concepts: { morning: { description: 'Hard' } },
});

describe('a post plan with another key', () => {
  it('takes along what was edited where a plan with a matrix has its key now: nothing is bought unasked', () => {
    const products = { tote: { photos: ['front'] }, mug: { photos: ['side'] } };
    const a = { ...A, key: 'a' };
    const state = stateAfter({ ...plans({ hero: [a, B], 'wall/tote': [A] }), products });
    const after = { ...plans({ wall: [{ ...a, products: ['mug'] }, B], 'hero/tote': [A] }), products };
    const plan = planOf(after, state, { replacements: 'hold' });
    expect(plan.moves).toEqual([
      { from: 'media/hero/a', to: 'media/wall/a' },
      { from: 'media/hero/1', to: 'media/wall/1' },
      { from: 'media/wall/tote/1', to: 'media/hero/tote/1' },
    ]);
    expect([plan.held.length, plan.newPosts]).toEqual([1, 0]);
  });

  it('takes along what was edited where two plans have exchanged their keys', () => {
    const products = { tote: { photos: ['front'] }, mug: { photos: ['side'] }, jug: { photos: ['top'] } };
    const item = (key: string): ItemWords => ({ key, descriptions: [key], products: ['tote'] });
    const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')];
    const state = stateAfter({ ...plans({ hero: [a, b], wall: [c, d] }), products });
    const after = { ...plans({ wall: [{ ...a, products: ['jug'] }, b], hero: [c, d] }), products };
    const plan = planOf(after, state, { replacements: 'hold' });
    expect(plan.moves).toContainEqual({ from: 'media/hero/a', to: 'media/wall/a' });
    expect([plan.held.length, plan.newPosts]).toEqual([1, 0]);
  });

  it('takes its posts along though its concept changed in the same edit: they are asked about', () => {
    const state = stateAfter(plans({ hero: [A, B] }));
    const plan = planOf(harder(plans({ top: [A, B] })), state);
    expect(outline(plan)).toEqual([
      '> media/hero/1 → media/top/1',
      '> media/hero/2 → media/top/2',
      '~ concept/morning',
      '+ media-config/top@2',
      '-/+ media/top/1@2',
      '-/+ media/top/2@2',
    ]);
    expect(planOf(harder(plans({ top: [A, B] })), state, { replacements: 'hold' }).newPosts).toBe(0);
  });

  it('does so after an edit that was left', () => {
    const before = stateAfter(plans({ hero: [A] }));
    const left = applied(planOf(harder(plans({ hero: [A] })), before, { replacements: 'hold' }), before);
    const plan = planOf(harder(plans({ top: [A] })), left, { replacements: 'hold' });
    expect(outline(plan)).toEqual(['> media/hero/1 → media/top/1']);
    expect(plan.held).toHaveLength(1);
  });

  it('takes along what was edited, beside an item that was not; a new item is new', () => {
    const state = stateAfter(plans({ 'wall/a': [A, { ...B, key: 'b' }], 'wall/b': [B] }));
    const after = plans({
      'grid/a': [{ descriptions: ['new'], key: 'b' }, A],
      'grid/b': [{ descriptions: ['newer'] }],
      'grid/c': [{ descriptions: ['newest'] }],
    });
    const plan = planOf(after, state, { replacements: 'hold' });
    expect(plan.moves.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'media/wall/a/1 → media/grid/a/1',
      'media/wall/a/b → media/grid/a/b',
      'media/wall/b/1 → media/grid/b/1',
    ]);
    expect([plan.held.length, plan.newPosts]).toEqual([2, 1]);
  });

  it('takes the likeliest along where all its items changed; what shows another product is new', () => {
    const state = stateAfter(plans({ hero: [A], other: [A, B] }));
    expect(planOf(plans({ top: [{ descriptions: ['new'] }], other: [A, B] }), state).moves).toEqual([
      { from: 'media/hero/1', to: 'media/top/1' },
    ]);
    const wide = { descriptions: ['new'], ratio: '16:9' } as const;
    const hold = { replacements: 'hold' } as const;
    expect(planOf(plans({ top: [wide], other: [A, B] }), state, hold)).toMatchObject({ newPosts: 0 });
    const mug: CampaignWords = {
      ...plans({ top: [{ ...wide, products: ['mug'] }], other: [A, B] }),
      products: { ...OBJECTS.products, mug: { photos: ['side'] } },
    };
    expect(planOf(mug, state, hold)).toMatchObject({ moves: [], newPosts: 1 });
    const two = planOf(harder(plans({ top: [A, { descriptions: ['new'] }] })), state, {
      replacements: 'hold',
    });
    expect(two.newPosts).toBe(0);
  });
});

it('an item with a new key is the same though its concept changed in the same edit', () => {
  const state = stateAfter(plans({ hero: [A, B] }));
  const plan = planOf(harder(plans({ hero: [A, { ...B, key: 'b' }] })), state);
  expect(plan.moves).toEqual([{ from: 'media/hero/2', to: 'media/hero/b' }]);
  expect(outline(plan)).toContain('-/+ media/hero/b@2');
});
