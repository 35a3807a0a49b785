/** The keys of all products go round, and two of them exchange their photos: their keys and photos say nothing any more. */
import { expect, it } from 'vitest';
import type { CampaignWords, ProductWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const VASE = { name: 'Vase', photos: ['1'] };
const CLOTH = { name: 'Cloth', photos: ['2', '3'] };

/** Two matrices: one over all products, one over two of them in two looks. */
function shop(
  products: Readonly<Record<string, ProductWords>>,
  shown: readonly string[],
  light: string,
): CampaignWords {
  const looks = ['hard', 'soft'].flatMap((look) =>
    shown.map((key) => [`looks/${look}+${key}`, { concept: look, items: [{ products: [key] }] }] as const),
  );
  const all = Object.keys(products).map(
    (key) => [`all/${key}`, { concept: 'hard', items: [{ products: [key], ratio: '4:5' }] }] as const,
  );
  return {
    products,
    concepts: { hard: { description: light }, soft: { description: 'Soft' } },
    posts: Object.fromEntries([...looks, ...all]),
  };
}

const BEFORE = shop(
  { k3: VASE, k7: CLOTH, k8: { name: 'Cushion', photos: ['4'] }, k13: { name: 'Green', photos: ['5', '6'] } },
  ['k7', 'k8'],
  'Hard',
);
const EDITED = shop(
  { k8: VASE, k13: CLOTH, k7: { name: 'Cushion', photos: ['5', '6'] }, k3: { name: 'Green', photos: ['4'] } },
  ['k13', 'k7'],
  'Harder',
);

it('as many posts are taken over as there were, and each that changed is asked about', () => {
  const requested = planOf(BEFORE, stateAfter({ ...BEFORE, posts: {} }));
  const media = [...requested.nodes].filter(({ kind }) => kind === 'media');
  const pending = Object.fromEntries(media.map(({ address }) => [address, 'open' as const]));
  for (const state of [stateAfter(BEFORE), stateAfter(BEFORE, pending)]) {
    const held = planOf(EDITED, state, { replacements: 'hold' });
    expect([held.newPosts, held.leftAlone]).toEqual([0, []]);
    const next = applied(held, state);
    expect(planOf(EDITED, next, { replacements: 'hold' })).toMatchObject({ newPosts: 0, moves: [] });
    expect(outline(planOf(EDITED, applied(planOf(EDITED, next), next)))).toEqual([]);
  }
});

it('what shows a product that is new beside them is bought', () => {
  const { k8, k13, k7, k3 } = { ...EDITED.products };
  if (!k8 || !k13 || !k7 || !k3) throw new Error('the products are there');
  const edited = shop({ k8, k13, k7, k3, k9: { name: 'Table', photos: ['9'] } }, ['k13', 'k9'], 'Harder');
  const { newPosts } = planOf(edited, stateAfter(BEFORE), { replacements: 'hold' });
  expect(newPosts).toBe(3);
});
