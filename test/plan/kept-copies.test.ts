/** A product gets another key, and an exact copy of it stays under a key of which no post makes use. */
import { expect, it } from 'vitest';
import type { CampaignWords, ProductWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const LAMP = { name: 'Lamp', photos: ['1', '2', '3'] };
const STOOL = { name: 'Stool', photos: ['4'] };

/** A matrix over some of the products. */
function catalog(products: Readonly<Record<string, ProductWords>>, shown: readonly string[]): CampaignWords {
  return {
    products,
    concepts: { morning: { description: 'Soft' } },
    posts: Object.fromEntries(shown.map((key) => [`catalog/${key}`, { items: [{ products: [key] }] }])),
  };
}

it.each<[string, ProductWords]>([
  ['photos in another order', { ...LAMP, photos: ['3', '2', '1'] }],
  ['another name and photos in another order', { name: 'Light', photos: ['3', '2', '1'] }],
  ['a photo more', { ...LAMP, photos: ['1', '2', '3', '5'] }],
  ['a photo less', { ...LAMP, photos: ['2', '3'] }],
  ['one photo exchanged', { ...LAMP, photos: ['1', '2', '5'] }],
  ['another name', { ...LAMP, name: 'Light' }],
  ['all photos exchanged', { ...LAMP, photos: ['5', '6'] }],
])('the post goes with the product that is shown, which got %s', (_, lamp) => {
  for (const copy of ['b', 'z']) {
    const state = stateAfter(catalog({ a: LAMP, d: STOOL }, ['a', 'd']));
    const edited = catalog({ [copy]: LAMP, k: lamp, d: STOOL }, ['k', 'd']);
    const plan = planOf(edited, state, { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 0, held: [{ address: 'media/catalog/k/1' }], leftAlone: [] });
    expect(plan.moves).toContainEqual({ from: 'product/a', to: 'product/k' });
    const next = applied(plan, state);
    expect(planOf(edited, next, { replacements: 'hold' })).toMatchObject({ newPosts: 0, moves: [] });
    expect(outline(planOf(edited, applied(planOf(edited, next), next)))).toEqual([]);
  }
});

it('a product of which no post makes use is still known under its new key', () => {
  const state = stateAfter(catalog({ a: LAMP, d: STOOL }, ['d']));
  const plan = planOf(catalog({ b: { ...LAMP, photos: ['1', '9'] }, d: STOOL }, ['d']), state);
  expect(plan.moves).toEqual([{ from: 'product/a', to: 'product/b' }]);
});
