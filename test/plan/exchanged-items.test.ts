import { describe, expect, it } from 'vitest';
import { fold } from '../../src/log/fold.ts';
import { moveEvents } from '../../src/plan/move-steps.ts';
import { type CampaignWords, heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, AT, outline, planOf, stateAfter } from '../support/play-plan.ts';

const item = (key: string, text: string): ItemWords => ({ key, descriptions: [text] });

/** What is planned after the edit; after it is applied, nothing is left to do. */
function edited(before: CampaignWords, after: CampaignWords): string[] {
  const state = stateAfter(before);
  const plan = planOf(after, state);
  const now = applied(plan, state);
  expect(outline(planOf(after, now))).toEqual([]);
  expect([...now.media.keys()].filter((address) => address.includes('moving'))).toEqual([]);
  return outline(plan);
}

/** Rows of a table by their keys: the photo of each. A post of a matrix for each of them, with a key in its item. */
function table(photos: Readonly<Record<string, string>>): CampaignWords {
  const keys = Object.keys(photos);
  return {
    products: Object.fromEntries(keys.map((key) => [key, { photos: [photos[key] ?? ''] }])),
    concepts: { morning: { description: 'Soft light' } },
    posts: Object.fromEntries(
      keys.map((key) => [`grid/${key}`, { items: [{ key: 'front', products: [key] }] }]),
    ),
  };
}

describe('posts whose exact pictures are there, under the address of another one', () => {
  it('of two items that exchange their keys, are exchanged', () => {
    expect(edited(heroOf(item('a', 'x'), item('b', 'y')), heroOf(item('b', 'x'), item('a', 'y')))).toEqual([
      '> media/hero/b → media/hero/a',
      '> media/hero/a → media/hero/b',
    ]);
  });

  it('of two rows of a table that exchange their keys, go with their rows', () => {
    expect(edited(table({ a: 'bag', b: 'cup' }), table({ a: 'cup', b: 'bag' }))).toEqual([
      '> media/grid/a/front → media/grid/b/front',
      '> media/grid/b/front → media/grid/a/front',
      '~ product/a',
      '~ product/b',
    ]);
  });

  it('go round, however many they are', () => {
    const before = heroOf(item('a', 'x'), item('b', 'y'), item('c', 'z'));
    expect(edited(before, heroOf(item('b', 'x'), item('c', 'y'), item('a', 'z')))).toEqual([
      '> media/hero/a → media/hero/b',
      '> media/hero/c → media/hero/a',
      '> media/hero/b → media/hero/c',
    ]);
  });

  it('move up where a row is taken out and all others have its key and those after it', () => {
    const before = table({ a: 'bag', b: 'cup', c: 'pen' });
    expect(edited(before, table({ a: 'cup', b: 'pen' }))).toEqual([
      '> media/grid/b/front → media/grid/a/front',
      '> media/grid/c/front → media/grid/b/front',
      '> media/grid/a/front → media/grid/c/front',
      '~ product/a',
      '~ product/b',
    ]);
  });

  it('leave one replacement where one of them says something new', () => {
    const before = heroOf(item('a', 'x'), item('b', 'y'));
    expect(edited(before, heroOf(item('a', 'y'), item('b', 'new')))).toEqual([
      '> media/hero/a → media/hero/b',
      '> media/hero/b → media/hero/a',
      '+ media-config/hero@2',
      '-/+ media/hero/b@2',
    ]);
  });

  it('are exchanged with a post that has no key', () => {
    const before = heroOf(item('a', 'x'), { descriptions: ['y'] });
    const after = {
      ...heroOf(item('a', 'y')),
      posts: { hero: { items: [item('a', 'y')] }, more: { items: [{ descriptions: ['x'] }] } },
    };
    expect(edited(before, after)).toEqual(['> media/hero/a → media/more/1', '> media/hero/1 → media/hero/a']);
  });

  it('stay with who still asks for exactly them', () => {
    const before = heroOf(item('a', 'x'), item('b', 'y'));
    expect(edited(before, heroOf(item('a', 'y'), item('b', 'y')))).toEqual([
      '+ media-config/hero@2',
      '-/+ media/hero/a@2',
    ]);
  });

  it('are not exchanged with one that failed and that nobody names', () => {
    const state = stateAfter(heroOf(item('a', 'x'), item('b', 'y')), { 'media/hero/b@1': 'failed' });
    expect(outline(planOf(heroOf(item('a', 'y')), state))).toContain('-/+ media/hero/a@2');
  });

  it('are found after a power cut in the middle of the records', () => {
    const before = heroOf(item('a', 'x'), item('b', 'y'), item('c', 'z'));
    const after = heroOf(item('b', 'x'), item('c', 'y'), item('a', 'z'));
    const state = stateAfter(before);
    const events = moveEvents(planOf(after, state).moves, AT);
    expect(events).toHaveLength(4);
    for (let kept = 0; kept <= events.length; kept += 1) {
      const torn = structuredClone(state);
      for (const event of events.slice(0, kept)) fold(torn, event);
      const plan = planOf(after, torn);
      expect(plan.newPosts).toBe(0);
      expect([...applied(plan, torn).media.keys()].sort()).toEqual([
        'media/hero/a',
        'media/hero/b',
        'media/hero/c',
      ]);
      expect(outline(planOf(after, applied(plan, torn)))).toEqual([]);
    }
  });
});
