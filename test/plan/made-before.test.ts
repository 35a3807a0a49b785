/** What an older take says exactly was paid for: it is asked about before another one is bought. */
import { expect, it } from 'vitest';
import { periodOf } from '../../src/model/period.ts';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import { acceptHeld } from '../../src/plan/accept.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { AT, applied, draftOf, outline, planOf, stateAfter } from '../support/play-plan.ts';

const PRODUCTS = { a: { photos: ['1'] }, b: { photos: ['2'] } };
const WORLD = { products: PRODUCTS, concepts: { morning: { description: 'Soft' } } };

/** A matrix over both products and formats. */
function grid(...ratios: readonly string[]): CampaignWords {
  const posts = Object.keys(PRODUCTS).flatMap((product) =>
    ratios.map((ratio) => [
      `grid/${product}+${ratio.replace(':', 'x')}`,
      {
        items: [{ key: 'k', products: [product], ratio, descriptions: ['x'] }],
      },
    ]),
  );
  return { ...WORLD, posts: Object.fromEntries(posts) };
}

function hero(...texts: readonly string[]): CampaignWords {
  const items = texts.map(
    (text): ItemWords => ({
      key: text,
      products: ['a'],
      descriptions: [text],
    }),
  );
  return { ...WORLD, posts: { hero: { items } } };
}

/** One item, whose key stays. */
const saying = (text: string, day?: string): CampaignWords => ({
  ...WORLD,
  posts: {
    hero: {
      ...(day !== undefined && { period: periodOf('week', day) }),
      items: [{ key: 'k', products: ['a'], descriptions: [text] }],
    },
  },
});

const HOLD = { replacements: 'hold' } as const;

it('a format that was swapped for another one, and is wanted again beside it, is asked about', () => {
  const swapped = stateAfter(grid('4:5'), {}, stateAfter(grid('1:1')));
  const both = grid('4:5', '1:1');
  const plan = planOf(both, swapped, HOLD);
  expect(plan).toMatchObject({ newPosts: 0, moves: [] });
  expect(plan.held.map(({ address, reasons }) => [address, reasons.map(({ summary }) => summary)])).toEqual([
    [
      'media/grid/a+1x1/k',
      ['it was made before: the older take media/grid/a+4x5/k@1 is exactly this, and would be made again'],
    ],
    [
      'media/grid/b+1x1/k',
      ['it was made before: the older take media/grid/b+4x5/k@1 is exactly this, and would be made again'],
    ],
  ]);
  // Left for now, it is asked about again; agreed to, it is made.
  const left = applied(plan, swapped);
  expect(planOf(both, left, HOLD).held).toHaveLength(2);
  const { draft, events } = acceptHeld(draftOf(both, left), AT);
  expect([events, finishPlan(draft, 'hold').held.length]).toEqual([[], 2]);
  const agreed = planOf(both, left);
  expect(agreed.newPosts).toBe(2);
  expect(planOf(both, applied(agreed, left), HOLD)).toMatchObject({
    newPosts: 0,
    held: [],
  });
});

it('what was replaced by what failed is asked about', () => {
  const edited = stateAfter(saying('y'), { 'media/hero/k@2': 'failed' }, stateAfter(saying('x')));
  expect(planOf(saying('x'), edited, HOLD)).toMatchObject({
    newPosts: 0,
    held: [{ address: 'media/hero/k' }],
  });
  expect(planOf(saying('y'), edited, { ...HOLD, retryFailed: '*' }).newPosts).toBe(1);
});

it.each([
  ['a format that nothing had', grid('4:5', '9:16'), stateAfter(grid('4:5'), {}, stateAfter(grid('1:1'))), 2],
  ['an item beside one that was made again as it was', hero('x', 'x2'), stateAfter(hero('x')), 1],
  [
    'the next period, which begins with what the last one was edited from',
    saying('x', '2026-11-23'),
    stateAfter(saying('y', '2026-11-22'), {}, stateAfter(saying('x', '2026-11-22'))),
    1,
  ],
  [
    'what failed before it was edited',
    grid('4:5', '1:1'),
    stateAfter(
      grid('4:5'),
      { 'media/grid/a+4x5/k@1': 'failed', 'media/grid/b+4x5/k@1': 'failed' },
      stateAfter(grid('1:1'), {
        'media/grid/a+1x1/k@1': 'failed',
        'media/grid/b+1x1/k@1': 'failed',
      }),
    ),
    2,
  ],
])('%s is bought without a question', (_, words, state, bought) => {
  expect(planOf(words, state, HOLD)).toMatchObject({
    newPosts: bought,
    held: [],
  });
});

it('a second one of what was made again as it was is bought without a question', () => {
  const again = applied(
    planOf(saying('x'), stateAfter(saying('x')), { replace: ['media/hero/k'] }),
    stateAfter(saying('x')),
  );
  const twice: CampaignWords = {
    ...WORLD,
    posts: {
      ...saying('x').posts,
      top: { items: [{ key: 'k', products: ['a'], descriptions: ['x'] }] },
    },
  };
  expect(again.media.get('media/hero/k')?.takes).toHaveLength(2);
  expect(outline(planOf(twice, again, HOLD))).toEqual(['+ media-config/top@1', '+ media/top/k@1']);
});
