import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter, listed } from '../support/play-plan.ts';

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const C = { descriptions: ['c'] };

describe('a post whose number_of_posts differs from its items', () => {
  const whole = (...items: readonly ItemWords[]) => ({
    ...heroOf(),
    posts: { hero: { items, numberOfPosts: 4 } },
  });
  const WHOLE = [{ summary: 'requested as a whole: number_of_posts differs from the number of items' }];

  it('costs the larger of the two', () => {
    expect(planOf(whole(A, B), emptyState()).newPosts).toBe(4);
    const fewer = { ...heroOf(), posts: { hero: { items: [A, B], numberOfPosts: 1 } } };
    expect(planOf(fewer, emptyState()).newPosts).toBe(2);
  });

  it('is an ordinary one where both are equal', () => {
    const equal = { ...heroOf(), posts: { hero: { items: [A, B], numberOfPosts: 2 } } };
    expect(outline(planOf(equal, stateAfter(heroOf(A))))).toEqual([
      '+ media-config/hero@2',
      '+ media/hero/2@2',
    ]);
  });

  it('is indivisible: one changed item requests them all', () => {
    const state = stateAfter(whole(A, B), { 'media/hero/2@1': 'failed' });
    const plan = planOf(whole(C, B), applied(planOf(whole(A, B), state), state));
    expect(outline(plan)).toEqual([
      '+ media-config/hero@2',
      '-/+ media/hero/1@2',
      '+ media/hero/2@2',
      '… media/hero/2@1',
    ]);
    expect(listed(plan)[0]).toMatchObject({ whole: true, after: ['media/hero/2@1'] });
    expect(listed(plan)[3]?.reasons).toEqual(WHOLE);
    expect(plan).toMatchObject({ newPosts: 4, unchanged: 4, failed: [] });
  });

  it('replaces its finished items with the reason', () => {
    const state = applied(planOf(whole(A, B), stateAfter(whole(A, B))), stateAfter(whole(A, B)));
    const media = planOf(whole(C, B), state).nodes.filter(({ kind }) => kind === 'media');
    expect(media.map(({ address, action }) => `${action} ${address}`)).toEqual([
      'replace media/hero/1@2',
      'replace media/hero/2@2',
    ]);
    expect(media[1]?.reasons).toEqual(WHOLE);
  });

  it('waits for a product that was not made and does not take part', () => {
    const words = {
      ...heroOf(),
      products: { tote: { photos: ['tote'] }, mug: { photos: ['mug'] } },
      posts: { hero: { items: [{ products: ['tote'] }, { products: ['mug'] }], numberOfPosts: 4 } },
    };
    const selection = { only: [], exclude: ['product/mug'] };
    const plan = planOf(words, emptyState(), { selection });
    const request = plan.nodes.find(({ kind }) => kind === 'media-config');
    expect(request).toMatchObject({ action: 'blocked', reasons: [{ address: 'product/mug' }] });
    expect(plan.newPosts).toBe(0);
  });

  it('is held as a whole', () => {
    const state = stateAfter(whole(A, B), { 'media/hero/2@1': 'failed' });
    const plan = planOf(whole(C, B), state, { replacements: 'hold' });
    expect(outline(plan)).toEqual(['… media/hero/3@1', '… media/hero/4@1']);
    expect(plan.held.map(({ address }) => address)).toEqual(['media/hero/1']);
    expect(plan.failed.map(({ address }) => address)).toEqual(['media/hero/2']);
  });

  it('is left alone while a request of it is unknown', () => {
    const state = stateAfter(whole(A, B), { 'media-config/hero@1': 'unknown' });
    const plan = planOf(whole(C, B, A), state);
    expect(outline(plan)).toEqual([]);
    expect(plan.unknown).toMatchObject([{ address: 'media-config/hero@1', counts: 2 }]);
  });

  it('says nothing where nothing changed', () => {
    const state = stateAfter(whole(A, B), { 'media/hero/2@1': 'failed' });
    const plan = planOf(whole(A, B), applied(planOf(whole(A, B), state), state));
    expect(outline(plan)).toEqual([]);
    expect(plan.failed).toHaveLength(1);
  });

  it('has posts beyond its items, which are polled and never requested', () => {
    const state = stateAfter(whole(A, B));
    const plan = planOf(whole(A, B), state);
    expect(outline(plan)).toEqual(['… media/hero/3@1', '… media/hero/4@1']);
    expect(plan.leftAlone).toEqual([]);
    expect(outline(planOf(whole(A, B), applied(plan, state)))).toEqual([]);
  });
});
