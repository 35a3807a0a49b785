import { describe, expect, it } from 'vitest';
import { heroOf, type ItemWords } from '../support/campaign.ts';
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
