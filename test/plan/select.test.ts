import { describe, expect, it } from 'vitest';
import type { Selection } from '../../src/plan/select.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { outline, planOf, stateAfter } from '../support/play-plan.ts';

const WORDS: CampaignWords = {
  products: { tote: { photos: ['front'] }, mug: { photos: ['cup'] } },
  concepts: { morning: {}, night: {} },
  posts: {
    hero: { items: [{ key: 'a' }, { key: 'b', products: ['mug'] }] },
    'grid/night': { concept: 'night', items: [{ products: ['mug'] }] },
  },
};

function selected(selection: Partial<Selection>, state: FoldState = emptyState(), words = WORDS) {
  return planOf(words, state, { selection: { only: [], exclude: [], ...selection } });
}

const TOTE = ['+ upload photos/front.jpg', '+ product/tote'];
const HERO_A = ['+ media-config/hero@1', '+ media/hero/a@1'];
const GRID = ['+ media-config/grid/night@1', '+ media/grid/night/1@1'];

describe('--only', () => {
  it.each([
    [['media/hero/a'], [...TOTE, '+ concept/morning', ...HERO_A], 5],
    [['download/hero/a'], [...TOTE, '+ concept/morning', ...HERO_A], 5],
    [['media/hero/a@1'], [...TOTE, '+ concept/morning', ...HERO_A], 5],
    [['media-config/grid/*'], ['+ upload photos/cup.jpg', '+ product/mug', '+ concept/night', ...GRID], 5],
    [['product/t*'], TOTE, 7],
    [['product/tote', 'concept/night'], [...TOTE, '+ concept/night'], 6],
    [['*'], outline(planOf(WORDS, emptyState())), 0],
    [['nothing'], [], 9],
  ])('%j takes what it names and all that needs', (only, expected, left) => {
    const plan = selected({ only });
    expect(outline(plan)).toEqual(expected);
    expect(plan.notSelected).toBe(left);
  });

  it('leaves pending and unknown posts that it does not name', () => {
    const state = stateAfter(WORDS, { 'media/hero/a@1': 'open', 'media-config/grid/night@1': 'unknown' });
    expect(outline(selected({ only: ['media/hero/b'] }, state))).toEqual([]);
    expect(outline(selected({ only: ['media/hero/*'] }, state))).toEqual(['… media/hero/a@1']);
    expect(selected({ only: ['media/hero/*'] }, state).unknown).toEqual([]);
    expect(selected({ only: ['media/grid/*'] }, state).unknown).toHaveLength(1);
  });

  it('names posts that the manifest no longer has', () => {
    const state = stateAfter(WORDS, { 'media/hero/a@1': 'open' });
    const without = { ...WORDS, posts: {} };
    expect(outline(selected({ only: ['media/hero/a'] }, state, without))).toEqual(['… media/hero/a@1']);
    expect(outline(selected({ only: ['media/hero/b'] }, state, without))).toEqual([]);
  });

  it('takes an indivisible post as a whole', () => {
    const whole = { ...WORDS, posts: { hero: { items: [{ key: 'a' }, { key: 'b' }], numberOfPosts: 3 } } };
    expect(outline(selected({ only: ['media/hero/a'] }, emptyState(), whole))).toEqual([
      ...TOTE,
      '+ concept/morning',
      ...HERO_A,
      '+ media/hero/b@1',
    ]);
  });
});

describe('--exclude', () => {
  const all = outline(planOf(WORDS, emptyState()));

  it.each([
    ['media/hero/b', ['+ media/hero/b@1']],
    ['product/tote', ['+ product/tote', '+ upload photos/front.jpg', '+ media/hero/a@1']],
    ['concept/night', ['+ concept/night', ...GRID]],
    ['nothing', []],
  ])('%s leaves out what it names and all that needs it', (glob, gone) => {
    expect(outline(selected({ exclude: [glob] }))).toEqual(all.filter((line) => !gone.includes(line)));
  });

  it('wins over --only', () => {
    expect(outline(selected({ only: ['media/hero/*'], exclude: ['product/mug'] }))).toEqual([
      ...TOTE,
      '+ concept/morning',
      ...HERO_A,
    ]);
  });
});
