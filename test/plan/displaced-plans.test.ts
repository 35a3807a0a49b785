import { describe, expect, it } from 'vitest';
import { periodOf } from '../../src/model/period.ts';
import type { CampaignWords, PostWords } from '../support/campaign.ts';
import { applied, planOf, stateAfter } from '../support/play-plan.ts';

const DAY = '2026-11-22';
const SHELF = { name: 'Regal', photos: ['1'] };
const STOOL = { name: 'Hocker', photos: ['2'] };
const SHOP = { products: { a: SHELF, b: STOOL }, concepts: { morning: { description: 'Soft' } } };

describe('a post plan whose key another one has now', () => {
  const hero: PostWords = { items: [{ products: ['a'], descriptions: ['x'] }] };
  const weekly: PostWords = {
    period: periodOf('week', DAY),
    items: [{ products: ['b'], descriptions: ['y'] }],
  };
  const givenOn: CampaignWords = { ...SHOP, posts: { 'hero-2025': hero, hero: weekly } };

  it.each([
    ['the new one has `every`', givenOn, 0],
    [
      'the new one has `every`, and a photo is new',
      { ...givenOn, products: { ...SHOP.products, a: { ...SHELF, photos: ['9'] } } },
      1,
    ],
  ])('goes with its posts: %s', (_, edited, asked) => {
    const state = stateAfter({ ...SHOP, posts: { hero } });
    const plan = planOf(edited, state, { replacements: 'hold' });
    expect(plan).toMatchObject({
      moves: [{ from: 'media/hero/1', to: 'media/hero-2025/1' }],
      newPosts: 1,
      held: { length: asked },
    });
    expect(planOf(edited, applied(plan, state), { replacements: 'hold' })).toMatchObject({
      moves: [],
      newPosts: 0,
    });
  });

  it('goes with its posts where both have `every`', () => {
    const daily: PostWords = { ...hero, period: periodOf('day', DAY) };
    const state = stateAfter({ ...SHOP, posts: { hero: daily, side: weekly } });
    const plan = planOf({ ...SHOP, posts: { hero: weekly, side: daily } }, state);
    expect(plan).toMatchObject({ newPosts: 0, held: [], moves: { length: 2 } });
  });

  it('goes with all its posts where both have `every` and one of its items was edited', () => {
    const of = (text: string): PostWords => ({
      period: periodOf('day', DAY),
      items: [...(hero.items ?? []), { products: ['a', 'b'], descriptions: [text] }],
    });
    const state = stateAfter({ ...SHOP, posts: { hero: of('z'), side: weekly } });
    const edited = { ...SHOP, posts: { hero: weekly, side: of('v') } };
    const plan = planOf(edited, state, { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 0, held: { length: 1 }, moves: { length: 3 } });
  });
});

describe('a post plan with another key, whose only item shows', () => {
  const of = (plan: string, products: readonly string[], ratio = '1:1'): CampaignWords => ({
    ...SHOP,
    posts: { [plan]: { items: [{ products, ratio, descriptions: ['x'] }] } },
  });

  it.each([
    ['the product in another format', of('hero', ['b']), of('shop', ['b'], '9:16')],
    ['one product more', of('hero', ['b']), of('shop', ['b', 'a'])],
    ['one product less', of('hero', ['a', 'b']), of('shop', ['b'])],
    ['the products in another order', of('hero', ['b', 'a']), of('shop', ['a', 'b'])],
  ])('%s, is asked about', (_, before, edited) => {
    const plan = planOf(edited, stateAfter(before), { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 0, held: { length: 1 } });
  });

  it('another product, is a new one', () => {
    const plan = planOf(of('shop', ['b']), stateAfter(of('hero', ['a'])), { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 1, held: [] });
  });
});
