import { describe, expect, it } from 'vitest';
import { type CampaignWords, heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const NEW = { descriptions: ['new'] };

/** The same items under a concept that has changed. */
const darker = (...items: readonly ItemWords[]) => ({
  ...heroOf(...items),
  concepts: { morning: { description: 'Darker' } },
});

describe('items without a key whose concept changed', () => {
  it('keep their numbers though another one was put before them', () => {
    const state = stateAfter(heroOf(A, B));
    const plan = planOf(darker(NEW, A, B), state);
    expect(outline(plan)).toEqual([
      '~ concept/morning',
      '+ media-config/hero@2',
      '+ media/hero/3@2',
      '-/+ media/hero/1@2',
      '-/+ media/hero/2@2',
    ]);
    expect(outline(planOf(darker(NEW, A, B), applied(plan, state)))).toEqual([]);
  });

  it('are not bought anew while nobody agreed', () => {
    const plan = planOf(darker(NEW, B, A), stateAfter(heroOf(A, B)), { replacements: 'hold' });
    expect(plan.newPosts).toBe(1);
    expect(plan.held.map(({ address }) => address)).toEqual(['media/hero/2', 'media/hero/1']);
  });

  it('are known by their place once they changed themselves', () => {
    const plan = planOf(darker({ ...A, ratio: '16:9' }, B), stateAfter(heroOf(A, B)));
    expect(outline(plan).slice(2)).toEqual(['-/+ media/hero/1@2', '-/+ media/hero/2@2']);
  });
});

describe('items without a key whose product was the same as another one', () => {
  const grid = (mug: string, ...items: readonly ItemWords[]): CampaignWords => ({
    products: { cup: { photos: ['a'] }, mug: { photos: ['a'], description: mug }, tin: { photos: ['b'] } },
    concepts: { morning: {} },
    posts: Object.fromEntries(
      ['cup', 'mug', 'tin'].map((key) => [
        `grid/${key}`,
        { items: items.map((each) => ({ ...each, products: [key] })) },
      ]),
    ),
  });

  it('are not bought anew where it got a text of its own and another item was put before them', () => {
    const same = { ...grid('', A), products: { ...grid('', A).products, mug: { photos: ['a'] } } };
    const plan = planOf(grid('Blue', NEW, A), stateAfter(same), { replacements: 'hold' });
    expect(plan.newPosts).toBe(3);
    expect(plan.held.map(({ address }) => address)).toEqual(['media/grid/mug/1']);
  });

  it('are not bought anew where it was the same as two, one after the other', () => {
    const product = (photo: string, description: string) => ({ photos: [photo], description });
    const words = (cup: string, mug: string, tin: string, ...items: readonly ItemWords[]) => ({
      ...grid('', ...items),
      products: { cup: product('a', cup), mug: product('a', mug), tin: product('a', tin) },
    });
    const first = stateAfter(words('x', 'y', 'x', A));
    const state = applied(planOf(words('x', 'y', 'y', A), first), first);
    const plan = planOf(words('p', 'q', 'r', NEW, A), state, { replacements: 'hold' });
    expect(plan.newPosts).toBe(3);
    expect(plan.held.map(({ address }) => address)).toEqual(
      ['cup', 'mug', 'tin'].map((key) => `media/grid/${key}/1`),
    );
  });
});
