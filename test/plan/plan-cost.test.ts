import { kindHas } from '../../src/model/kinds.ts';
import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { type Limit, NOTHING_SPENT, type Spent } from '../../src/model/budget.ts';
import { moneyOf } from '../../src/model/money.ts';
import type { Purse } from '../../src/plan/plan-cost.ts';
import { costText, limitTexts, overBudget, whyOverBudget } from '../../src/views/budget-words.ts';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import { planOf, stateAfter, plain } from '../support/play-plan.ts';

const PRICES = { image: moneyOf(0.1), carousel: moneyOf(0.3), video: moneyOf(1.2) };
const limit = (per: Limit['per'], of: Limit['of'], most: number): Limit => ({
  per,
  of,
  most,
  source: '#/budget',
});
const spent = (posts: number, cost: number): Spent => ({ posts, cost: moneyOf(cost) });

function purse(more: Partial<Purse> = {}): Purse {
  const none = { run: NOTHING_SPENT, month: NOTHING_SPENT };
  return { currency: 'EUR', prices: PRICES, limits: [], spent: none, excess: 'show', ...more };
}

const item = (key: string, type: 'image' | 'video' = 'image', text = key): ItemWords => ({
  key,
  type,
  products: ['tote'],
  descriptions: [text],
});

const words = (posts: CampaignWords['posts']): CampaignWords => ({
  products: { tote: { photos: ['front'] } },
  concepts: { morning: { description: 'Soft light' } },
  ...(posts && { posts }),
});

const TWO = words({
  hero: { items: [item('a'), item('b', 'video')] },
  grid: { items: [item('c'), item('d')] },
});

const asked = (plan: ReturnType<typeof planOf>) =>
  plan.nodes.flatMap((node) =>
    kindHas(node, 'stored', 'request') ? node.payload.items.map((one) => one.item) : [],
  );

describe('a plan with a budget', () => {
  it('costs what its requests cost, and nothing is left out where it fits to the cent', () => {
    const exact = purse({
      limits: [limit('run', 'cost', 1.5), limit('month', 'posts', 4)],
      excess: 'nothing',
    });
    const plan = planOf(TWO, emptyState(), { purse: exact });
    expect(plan).toMatchObject({ newPosts: 4, beyondBudget: [], cost: { amount: 1.5, currency: 'EUR' } });
    expect(whyOverBudget(plan)).toBeUndefined();
  });

  it('has no cost without prices, and none that is known where a type has no price', () => {
    const none = planOf(TWO, emptyState(), { purse: purse({ prices: {} }) });
    expect([none.cost?.amount, none.cost && costText(none.cost)]).toEqual([null, undefined]);
    const some = planOf(TWO, emptyState(), { purse: purse({ prices: { image: 1n } }) });
    expect(some.cost && costText(some.cost)).toBe('not all of them with a price');
  });

  it('does not count what is blocked', () => {
    const blocked = stateAfter(words({}), { 'product/tote': 'unknown' });
    const plan = planOf(TWO, blocked, {
      purse: purse({ limits: [limit('run', 'posts', 0)], excess: 'nothing' }),
    });
    expect(plan).toMatchObject({ newPosts: 0, beyondBudget: [], cost: { amount: 0 } });
  });

  it('that exceeds a limit is shown with all that it wants', () => {
    const plan = planOf(TWO, emptyState(), { purse: purse({ limits: [limit('month', 'cost', 1.49)] }) });
    expect(asked(plan)).toEqual(['a', 'b', 'c', 'd']);
    expect(whyOverBudget(plan)).toBe('1.50 EUR in this month, and per_month.cost allows 1.49 EUR');
  });

  it('that exceeds a limit creates nothing, and still fetches what was requested before', () => {
    const before = stateAfter(words({ hero: { items: [item('a')] } }), { 'media/hero/a@1': 'open' });
    const limits = [limit('month', 'posts', 3)];
    const full = purse({ limits, spent: { run: NOTHING_SPENT, month: spent(1, 0.1) }, excess: 'nothing' });
    const more = { ...TWO, concepts: { ...TWO.concepts, night: { description: 'Neon' } } };
    const plan = planOf(more, before, { purse: full });
    expect([...plan.nodes].map(({ address, action }) => [action, address])).toEqual([
      ['resume', 'media/hero/a@1'],
      ['resume', 'download/hero/a@1'],
    ]);
    expect(plan.beyondBudget).toEqual(['media/hero/b', 'media/grid/c', 'media/grid/d']);
    expect(overBudget(plan, () => ({ sourceLine: 'posts: 3' }), false)).toEqual({
      code: 'over-budget',
      summary: 'Over budget',
      detail:
        'It would be 4 posts in this month (1 post already), and per_month.posts allows 3 posts. No post is requested, and ' +
        'nothing is created; what was requested before is still fetched. Raise the limit, or request what fits with --within-budget.',
      sourceLine: 'posts: 3',
    });
  });
});

describe('within the budget', () => {
  const within = (limits: readonly Limit[], before = NOTHING_SPENT) =>
    purse({ limits, spent: { run: before, month: before }, excess: 'rest' });

  it('items are requested in the order of the manifest, up to the first that does not fit', () => {
    const plan = planOf(TWO, emptyState(), { purse: within([limit('run', 'cost', 1.25)]) });
    expect([asked(plan), plan.beyondBudget]).toEqual([
      ['a'],
      ['media/hero/b', 'media/grid/c', 'media/grid/d'],
    ]);
    expect(plan.cost?.amount).toBe(0.1);
    const more = planOf(TWO, emptyState(), { purse: within([limit('month', 'posts', 4)], spent(1, 0.1)) });
    expect([asked(more), more.beyondBudget]).toEqual([['a', 'b', 'c'], ['media/grid/d']]);
    expect(overBudget(more, () => undefined, true)?.detail).toBe(
      'It would be 5 posts in this month (1 post already), and per_month.posts allows 4 posts. 1 post is left for another run. Raise the limit.',
    );
  });

  it('nothing is requested where nothing fits, and --within-budget is not advised', () => {
    const limits = [limit('month', 'posts', 2)];
    const full = planOf(TWO, emptyState(), { purse: within(limits, spent(2, 0.2)) });
    expect(asked(full)).toEqual([]);
    const why = 'It would be 6 posts in this month (2 posts already), and per_month.posts allows 2 posts.';
    // Uploads, products and concepts are made all the same.
    expect(overBudget(full, () => undefined, true)?.detail).toBe(
      `${why} No post is requested; what was requested before is still fetched. Raise the limit.`,
    );
    const month = { limits, spent: { run: NOTHING_SPENT, month: spent(2, 0.2) }, excess: 'nothing' } as const;
    const none = planOf(TWO, emptyState(), { purse: purse(month) });
    expect(overBudget(none, () => undefined, false)?.detail).toBe(
      `${why} No post is requested, and nothing is created; what was requested before is still fetched. Raise the limit.`,
    );
    // A post that is requested as a whole is too large for what is left.
    const whole = words({ hero: { items: [item('a'), item('b')], numberOfPosts: 3 } });
    const large = planOf(whole, emptyState(), { purse: within(limits) });
    expect(overBudget(large, () => undefined, true)?.detail).not.toContain('--within-budget');
  });

  it('new posts come before those that are paid for once more', () => {
    const before = stateAfter(words({ hero: { items: [item('a')] } }));
    const after = words({
      hero: { items: [item('a', 'image', 'edited'), item('b')] },
      grid: { items: [item('c')] },
    });
    const plan = planOf(after, before, { purse: within([limit('run', 'posts', 2)]) });
    expect([asked(plan), plan.beyondBudget]).toEqual([['b', 'c'], ['media/hero/a']]);
  });

  it('a post that is requested as a whole is requested whole or not at all', () => {
    const whole = words({
      hero: { items: [item('a'), item('b')], numberOfPosts: 3 },
      grid: { items: [item('c')] },
    });
    const plan = planOf(whole, emptyState(), { purse: within([limit('run', 'posts', 2)]) });
    expect([asked(plan), plan.beyondBudget]).toEqual([[], ['media/hero/a', 'media/hero/b', 'media/grid/c']]);
    const fits = planOf(whole, emptyState(), { purse: within([limit('run', 'posts', 3)]) });
    expect([asked(fits), fits.beyondBudget]).toEqual([['a', 'b'], ['media/grid/c']]);
  });

  it('nothing is left out where all fits, also of a limit that was exceeded before', () => {
    const done = stateAfter(TWO);
    const plan = planOf(TWO, done, { purse: within([limit('month', 'posts', 2)], spent(4, 1.5)) });
    expect(plain(plan)).toMatchObject({ nodes: [], beyondBudget: [] });
    expect(whyOverBudget(plan)).toBeUndefined();
  });
});

it('words for limits: a month always, a run only where an earlier one was killed', () => {
  const limits = [limit('run', 'posts', 500), limit('month', 'posts', 2000), limit('month', 'cost', 900)];
  const texts = (run: Spent) => {
    const { cost } = planOf(TWO, emptyState(), {
      purse: purse({ limits, spent: { run, month: spent(12, 12) } }),
    });
    return cost && limitTexts(cost);
  };
  expect(texts(NOTHING_SPENT)).toEqual(['this month 12 of 2000 posts, 12.00 of 900.00 EUR']);
  expect(texts(spent(5, 0.5))).toEqual([
    'this run 5 of 500 posts',
    'this month 12 of 2000 posts, 12.00 of 900.00 EUR',
  ]);
});

it('names the manifest that has the limit, if it is another one', () => {
  const other: Limit = { per: 'run', of: 'posts', most: 3, manifest: 'b.yaml' };
  const full = purse({ limits: [other], spent: { run: spent(2, 0), month: NOTHING_SPENT }, prices: {} });
  expect(whyOverBudget(planOf(TWO, emptyState(), { purse: full }))).toBe(
    '6 posts in this run (2 posts already), and per_run.posts of b.yaml allows 3 posts',
  );
});
