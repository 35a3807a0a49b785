import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { heroOf } from '../support/campaign.ts';
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

  it('is a new one where its content changed too', () => {
    const plan = planOf({ ...POSTS, products: { bag: { ...TOTE, description: 'x' } } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['+ product/bag']);
    expect(plan.leftAlone).toEqual(['product/tote']);
  });

  it('is a new one where a second new one is the same', () => {
    const plan = planOf({ ...POSTS, products: { bag: TOTE, sack: TOTE } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['+ product/bag', '+ product/sack']);
  });

  it('is a new one where a second gone one was the same', () => {
    const state = stateAfter({ ...POSTS, products: { tote: TOTE, sack: TOTE } });
    const plan = planOf({ ...POSTS, products: { bag: TOTE } }, state);
    expect(outline(plan)).toEqual(['+ product/bag']);
  });

  it('is a new one where the old key is still named', () => {
    const plan = planOf({ ...POSTS, products: { tote: TOTE, bag: TOTE } }, stateAfter(BEFORE));
    expect(outline(plan)).toEqual(['+ product/bag']);
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
