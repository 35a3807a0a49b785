import { expect, it } from 'vitest';
import { type CampaignWords, heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const A: ItemWords = { descriptions: ['a'] };
const B: ItemWords = { descriptions: ['b'] };
const NEW: ItemWords = { descriptions: ['new'] };

/** What is planned after the edit; after it is applied, nothing is left to do. */
function edited(before: CampaignWords, after: CampaignWords): string[] {
  const state = stateAfter(before);
  const plan = planOf(after, state);
  expect(outline(planOf(after, applied(plan, state)))).toEqual([]);
  return outline(plan);
}

function plans(posts: Readonly<Record<string, readonly ItemWords[]>>): CampaignWords {
  const named = Object.entries(posts).map(([name, items]) => [name, { items }] as const);
  return { ...heroOf(), posts: Object.fromEntries(named) };
}

it('a post whose key asks for something else goes to the item of another post plan that is exactly it', () => {
  const before = plans({ hero: [{ ...A, key: 'k' }], grid: [B] });
  const after = plans({ hero: [{ ...NEW, key: 'k' }], grid: [B, A] });
  expect(edited(before, after)).toEqual([
    '> media/hero/k → media/grid/2',
    '+ media-config/hero@2',
    '+ media/hero/k@2',
  ]);
});

it('a key keeps its post where another one is exactly what the item without a key asks for', () => {
  const before = plans({ hero: [{ ...A, key: 'k' }], grid: [A] });
  const after = plans({ hero: [{ ...NEW, key: 'k' }], grid: [A] });
  expect(edited(before, after)).toEqual(['+ media-config/hero@2', '-/+ media/hero/k@2']);
});

it('a new key gets the post of a key that asks for something else, beside an item without one that says the same', () => {
  const before = heroOf({ ...A, key: 'k' }, A);
  const after = heroOf({ ...NEW, key: 'k' }, { ...A, key: 'k2' }, A);
  expect(edited(before, after)).toEqual([
    '> media/hero/k → media/hero/k2',
    '+ media-config/hero@2',
    '+ media/hero/k@2',
  ]);
});

it('of two posts that are asked for once, one goes, and the other keeps its key', () => {
  const before = plans({
    hero: [
      { ...A, key: 'k' },
      { ...A, key: 'l' },
    ],
    grid: [B],
  });
  const after = plans({
    hero: [
      { ...NEW, key: 'k' },
      { ...NEW, key: 'l' },
    ],
    grid: [B, A],
  });
  const posts = edited(before, after).filter((line) => !line.includes('config'));
  expect(posts).toEqual(['> media/hero/k → media/grid/2', '+ media/hero/k@2', '-/+ media/hero/l@2']);
});
