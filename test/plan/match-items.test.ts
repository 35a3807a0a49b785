import { describe, expect, it } from 'vitest';
import { matchState } from '../../src/plan/match-state.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { type CampaignWords, graphOf, heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const C = { descriptions: ['c'] };
const D = { descriptions: ['d'] };

/** The names that the items of `hero` get, in their order. */
function namesOf(words: CampaignWords, state: FoldState): (string | undefined)[] {
  const { posts } = matchState(graphOf(words), state);
  return posts.flatMap(({ items }) => items.map(({ name, known }) => (known ? name : `${name} (new)`)));
}

const hero = (...items: readonly ItemWords[]) => heroOf(...items);
const posts = (all: Record<string, readonly ItemWords[]>): CampaignWords => ({
  ...hero(),
  posts: Object.fromEntries(Object.entries(all).map(([path, items]) => [path, { items }])),
});

describe('items of a post', () => {
  it('are numbered in their order, keys keep their names', () => {
    expect(namesOf(hero(A, { ...B, key: 'kitchen' }, C), emptyState())).toEqual([
      '1 (new)',
      'kitchen (new)',
      '2 (new)',
    ]);
  });

  it('are known by their content wherever they stand', () => {
    expect(namesOf(hero(C, A, B), stateAfter(hero(A, B, C)))).toEqual(['3', '1', '2']);
  });

  it('are known by their place among the rest where their content changed', () => {
    expect(namesOf(hero(A, D, B), stateAfter(hero(A, B, C)))).toEqual(['1', '3', '2']);
  });

  it('are known by their key, whatever their content', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, { ...B, key: 'b' }));
    expect(namesOf(hero({ ...A, key: 'b' }, { ...B, key: 'a' }), state)).toEqual(['b', 'a']);
  });

  it('of one content are told apart by their order', () => {
    expect(namesOf(hero(A, A, A), stateAfter(hero(A, A)))).toEqual(['1', '2', '3 (new)']);
  });

  it('that get a key and another text in one edit are replaced, not bought anew beside', () => {
    expect(namesOf(hero({ ...B, key: 'b' }), stateAfter(hero(A)))).toEqual(['b']);
  });

  it('with a key that change places with one without keep their posts', () => {
    const plan = planOf(hero(A, { ...B, key: 'a' }), stateAfter(hero({ ...A, key: 'a' }, B)));
    expect(outline(plan)).toEqual(['> media/hero/a → media/hero/1', '> media/hero/1 → media/hero/a']);
  });

  it('that lose their key get a number, so that later edits find them', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, B));
    const plan = planOf(hero(A, B), state);
    expect(outline(plan)).toEqual(['> media/hero/a → media/hero/2']);
    expect(outline(planOf(hero(C, B), applied(plan, state)))).toEqual([
      '+ media-config/hero@2',
      '-/+ media/hero/2@2',
    ]);
  });

  it('that lose their key and change at once are replaced, not bought anew beside', () => {
    const plan = planOf(hero(B), stateAfter(hero({ ...A, key: 'a' })));
    expect(outline(plan)).toEqual([
      '> media/hero/a → media/hero/1',
      '+ media-config/hero@2',
      '-/+ media/hero/1@2',
    ]);
  });

  it('that get a key move to it, without a request', () => {
    const plan = planOf(hero({ ...A, key: 'a' }, B), stateAfter(hero(A, B)));
    expect(outline(plan)).toEqual(['> media/hero/1 → media/hero/a']);
  });

  it('whose key was given on to a new item keep their posts', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }));
    expect(outline(planOf(hero({ ...A, key: 'b' }, { ...C, key: 'a' }), state))).toEqual([
      '> media/hero/a → media/hero/b',
      '+ media-config/hero@2',
      '+ media/hero/a@2',
    ]);
  });

  it('whose key was given on in the edit that changed their concept are asked about', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, B));
    const next = hero({ ...A, key: 'b' }, { ...C, key: 'a' }, B);
    const darker = { ...next, concepts: { morning: { description: 'Darker' } } };
    const plan = planOf(darker, state, { replacements: 'hold' });
    expect(plan.newPosts).toBe(1);
    expect(plan.held.map(({ address }) => address)).toEqual(['media/hero/b', 'media/hero/1']);
  });

  it('whose key was given on keep their posts without a key, too', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, B));
    expect(outline(planOf(hero(A, { ...C, key: 'a' }, B), state))).toEqual([
      '> media/hero/a → media/hero/2',
      '+ media-config/hero@2',
      '+ media/hero/a@2',
    ]);
  });

  it('keep their key where an item without one says what they said, and has a post of its own', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, A));
    expect(outline(planOf(hero({ ...C, key: 'a' }, A), state))).toEqual([
      '+ media-config/hero@2',
      '-/+ media/hero/a@2',
    ]);
  });

  it('whose keys moved on in a chain keep their posts', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, { ...B, key: 'b' }, { ...C, key: 'c' }));
    const next = hero({ ...A, key: 'b' }, { ...B, key: 'c' }, { ...C, key: 'd' });
    const plan = planOf(next, state);
    expect(outline(plan)).toEqual([
      '> media/hero/c → media/hero/d',
      '> media/hero/b → media/hero/c',
      '> media/hero/a → media/hero/b',
    ]);
    expect(outline(planOf(next, applied(plan, state)))).toEqual([]);
  });

  it('whose key was given on with that of their post plan keep their posts', () => {
    const state = stateAfter(posts({ hero: [{ ...A, key: 'a' }, B] }));
    const plan = planOf(posts({ old: [{ ...A, key: 'a' }, B], hero: [{ ...C, key: 'a' }] }), state);
    expect(plan.newPosts).toBe(1);
    expect(outline(plan).filter((line) => line.startsWith('>'))).toEqual([
      '> media/hero/a → media/old/a',
      '> media/hero/1 → media/old/1',
    ]);
  });

  it('are the ones that lost their key rather than those whose key another item has', () => {
    const state = stateAfter(hero({ ...A, key: 'a' }, { ...A, key: 'b' }));
    expect(outline(planOf(hero({ ...C, key: 'a' }, { ...A, key: 'c' }), state))).toEqual([
      '> media/hero/b → media/hero/c',
      '+ media-config/hero@2',
      '-/+ media/hero/a@2',
    ]);
  });
});

describe('a number', () => {
  it('is not used again for another item', () => {
    const state = stateAfter(hero(A, B, C));
    expect(namesOf(hero(A, B), state)).toEqual(['1', '2']);
    expect(namesOf(hero(A, B, C, { ...D, key: 'd' }), state)).toEqual(['1', '2', '3', 'd (new)']);
    expect(namesOf(posts({ hero: [A, B], other: [C] }), state)).toEqual(['1', '2', '1']);
    const moved = stateAfter(posts({ hero: [A, B], other: [C] }), {}, state);
    expect(namesOf(posts({ hero: [A, B, D], other: [C] }), moved)).toEqual(['1', '2', '4 (new)', '1']);
  });

  it('is used again where its request was rejected', () => {
    const state = stateAfter(hero(A), { 'media-config/hero@1': 'rejected' });
    const plan = planOf(hero(A), state);
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/1@2']);
  });

  it('is not used again while its request is unknown', () => {
    const state = stateAfter(hero(A), { 'media-config/hero@1': 'unknown' });
    expect(namesOf(hero(A, B), state)).toEqual(['1', '2 (new)']);
  });

  it('of a post that the service made unasked is not used for an item', () => {
    const whole = { ...hero(A), posts: { hero: { items: [A], numberOfPosts: 3 } } };
    const state = stateAfter(whole);
    expect([...state.media.keys()]).toEqual(['media/hero/1', 'media/hero/2', 'media/hero/3']);
    expect(namesOf(hero(A, B), state)).toEqual(['1', '4 (new)']);
  });
});

describe('items of other posts', () => {
  it('move from post to post where nothing else changed', () => {
    const state = stateAfter(posts({ hero: [A, B], other: [C] }));
    const plan = planOf(posts({ hero: [A], other: [C, B] }), state);
    expect(outline(plan)).toEqual(['> media/hero/2 → media/other/2']);
  });

  it('stay where a post plan that was renamed has as much', () => {
    const state = stateAfter(posts({ hero: [A, B], other: [B, C] }));
    const plan = planOf(posts({ hero: [A], third: [B] }), state);
    // A post plan that is gone goes before an item that is, and takes all its posts along.
    expect(outline(plan)).toEqual(['> media/other/1 → media/third/1', '> media/other/2 → media/third/2']);
    expect(plan.leftAlone).toEqual(['media/hero/2', 'media/third/2']);
  });

  it('move with their post where it was renamed', () => {
    const state = stateAfter(posts({ hero: [A, { ...B, key: 'b' }], other: [C] }));
    const plan = planOf(posts({ top: [{ ...B, key: 'b' }, A], other: [C] }), state);
    expect(outline(plan)).toEqual(['> media/hero/1 → media/top/1', '> media/hero/b → media/top/b']);
  });

  it('move once where their post and their key were renamed', () => {
    const state = stateAfter(posts({ hero: [A, { ...B, key: 'b' }] }));
    const plan = planOf(posts({ top: [A, { ...B, key: 'z' }] }), state);
    expect(outline(plan)).toEqual(['> media/hero/1 → media/top/1', '> media/hero/b → media/top/z']);
    const next = planOf(posts({ top: [A, { ...B, key: 'z' }] }), applied(plan, state));
    expect(outline(next)).toEqual([]);
  });

  it('made unasked move with their post too', () => {
    const words = (path: string) => ({ ...hero(), posts: { [path]: { items: [A], numberOfPosts: 2 } } });
    const plan = planOf(words('top'), stateAfter(words('hero')));
    expect(outline(plan)).toEqual([
      '> media/hero/1 → media/top/1',
      '> media/hero/2 → media/top/2',
      '… media/top/2@1',
    ]);
  });

  it('move one by one where a renamed post has another item besides', () => {
    const state = stateAfter(posts({ hero: [A, B] }));
    const plan = planOf(posts({ top: [A, B, C] }), state);
    expect(outline(plan)).toEqual([
      '> media/hero/1 → media/top/1',
      '> media/hero/2 → media/top/2',
      '+ media-config/top@2',
      '+ media/top/3@2',
    ]);
  });

  it('move where two posts of one content are renamed: each may stand for the other', () => {
    const state = stateAfter(posts({ hero: [A], other: [A] }));
    const plan = planOf(posts({ left: [A], right: [A] }), state);
    expect(outline(plan)).toEqual(['> media/hero/1 → media/left/1', '> media/other/1 → media/right/1']);
    expect(plan.newPosts).toBe(0);
  });
});

describe('a request number', () => {
  it('is not used again after a post took the name of a renamed one', () => {
    const state = stateAfter(posts({ top: [A] }), {}, stateAfter(posts({ hero: [A] })));
    const plan = planOf(posts({ top: [A], hero: [B] }), state);
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/2@2']);
  });

  it('goes on after the takes that a renamed post brings along', () => {
    const first = stateAfter(posts({ hero: [A] }));
    const second = stateAfter(posts({ hero: [B] }), {}, first);
    const renamed = stateAfter(posts({ top: [B] }), {}, second);
    expect(outline(planOf(posts({ top: [C] }), renamed))).toEqual([
      '+ media-config/top@3',
      '-/+ media/top/1@3',
    ]);
  });

  it('is not used again after a request that was not sent', () => {
    const state = stateAfter(hero(A), { 'media-config/hero@1': 'not-sent' });
    expect(outline(planOf(hero(A), state))).toEqual(['+ media-config/hero@2', '+ media/hero/1@2']);
  });
});
