import { describe, expect, it } from 'vitest';
import { type Every, periodOf } from '../../src/model/period.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import type { CampaignWords, ItemWords, PostWords, ProductWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const SHELF = { name: 'Regal', photos: ['1'] };
const STOOL = { name: 'Hocker', photos: ['2'] };
const DAY = '2026-11-22';

interface Options {
  readonly plan?: string;
  readonly item?: ItemWords;
  /** Another dimension of the matrix, with one value. */
  readonly side?: string;
  readonly every?: Every;
  readonly post?: Partial<PostWords>;
}

/** A matrix over all products with one item, whose text shows a column of the table. */
function catalog(
  rows: Readonly<Record<string, ProductWords & { readonly colour: string }>>,
  { plan = 'catalog', item = {}, side, every, post }: Options = {},
): CampaignWords {
  return {
    products: Object.fromEntries(
      Object.entries(rows).map(([key, { name = key, photos = [] }]) => [key, { name, photos }]),
    ),
    concepts: { morning: { description: 'Soft' } },
    posts: Object.fromEntries(
      Object.entries(rows).map(([key, { colour }]) => [
        `${plan}/${key}${side === undefined ? '' : `+${side}`}`,
        {
          ...(every && { period: periodOf(every, DAY) }),
          items: [{ products: [key], descriptions: [`in ${colour}`], ...item }],
          ...post,
        },
      ]),
    ),
  };
}

const ROWS = { a: { ...SHELF, colour: 'rot' }, b: { ...STOOL, colour: 'blau' } };
const NEW_STOOL = { ...STOOL, name: 'Hocker L' };
const GREEN = { ...ROWS, b: { ...ROWS.b, colour: 'grün' } };

/** A row with the photo of the shelf. */
const TWIN = { name: 'Hocker', photos: ['1'], colour: 'blau' };

const CAROUSEL = { type: 'carousel', descriptions: ['one'] } as const;

/** A post plan without a matrix. */
function hero(items: readonly ItemWords[], light = 'Soft'): CampaignWords {
  return {
    ...catalog(ROWS),
    concepts: { morning: { description: light } },
    posts: { hero: { items: items.map((item) => ({ products: ['a'], ...item })) } },
  };
}

/** Two edits in one; what is bought without a question, and how many posts are asked about. */
const CASES: readonly (readonly [string, CampaignWords, CampaignWords, bought: number, asked: number])[] = [
  [
    'a row gets a key and a name, another takes its old key',
    catalog(ROWS),
    catalog({ b: ROWS.a, c: { ...NEW_STOOL, colour: 'blau' } }),
    0,
    1,
  ],
  [
    'a row gets a key and a column, another takes its old key',
    catalog(ROWS),
    catalog({ b: ROWS.a, c: GREEN.b }),
    0,
    1,
  ],
  [
    'keys change places, and one name',
    catalog(ROWS),
    catalog({ b: ROWS.a, a: { ...NEW_STOOL, colour: 'blau' } }),
    0,
    1,
  ],
  ['keys change places, and one column', catalog(ROWS), catalog({ b: ROWS.a, a: GREEN.b }), 0, 1],
  [
    'keys change places, and both names',
    catalog(ROWS),
    catalog({ b: { ...ROWS.a, name: 'R' }, a: { ...ROWS.b, name: 'H' } }),
    0,
    2,
  ],
  [
    'a row gets a key and a name, and a new product its old key',
    catalog(ROWS),
    catalog({
      a: ROWS.a,
      c: { ...NEW_STOOL, colour: 'blau' },
      b: { name: 'Tisch', photos: ['3'], colour: 'gelb' },
    }),
    1,
    1,
  ],
  [
    'all rows move on by one key, and all names change',
    catalog({ 1: ROWS.a, 2: ROWS.b }),
    catalog({
      2: { ...ROWS.a, name: 'R' },
      3: { ...ROWS.b, name: 'H' },
      1: { photos: ['3'], colour: 'gelb' },
    }),
    1,
    2,
  ],
  [
    'one of two products is taken out, and the post plan gets a name and a format',
    hero([{ products: ['a', 'b'], descriptions: ['x'] }]),
    { ...hero([]), posts: { top: { items: [{ ratio: '4:5', products: ['a'], descriptions: ['x'] }] } } },
    0,
    1,
  ],
  [
    'the other of two products is taken out, and the post plan gets a name and a format',
    hero([{ products: ['a', 'b'], descriptions: ['x'] }]),
    { ...hero([]), posts: { top: { items: [{ ratio: '4:5', products: ['b'], descriptions: ['x'] }] } } },
    0,
    1,
  ],
  [
    'the item gets a key, and one column changes',
    catalog(ROWS),
    catalog(GREEN, { item: { key: 'k' } }),
    0,
    1,
  ],
  [
    'the item gets another key, and one column changes',
    catalog(ROWS, { item: { key: 'k' } }),
    catalog(GREEN, { item: { key: 'l' } }),
    0,
    1,
  ],
  [
    'the item loses its key, and one column changes',
    catalog(ROWS, { item: { key: 'k' } }),
    catalog(GREEN),
    0,
    1,
  ],
  ['a dimension comes, and one column changes', catalog(ROWS), catalog(GREEN, { side: 'x' }), 0, 1],
  ['a dimension goes, and one column changes', catalog(ROWS, { side: 'x' }), catalog(GREEN), 0, 1],
  [
    'the post plan gets a name, and a row a key and a column',
    catalog(ROWS),
    catalog({ a: ROWS.a, c: GREEN.b }, { plan: 'shop' }),
    0,
    1,
  ],
  [
    'the post plan gets a name, and its only row another text',
    catalog({ b: ROWS.b }),
    catalog({ b: GREEN.b }, { plan: 'shop' }),
    0,
    1,
  ],
  [
    '`every` comes, and a row gets a key and a column',
    catalog(ROWS),
    catalog({ a: ROWS.a, c: GREEN.b }, { every: 'week' }),
    0,
    1,
  ],
  [
    'the item gets a key, and a row a key and a column',
    catalog(ROWS),
    catalog({ a: ROWS.a, c: GREEN.b }, { item: { key: 'k' } }),
    0,
    1,
  ],
  [
    'the post plan gets a name and `every`, and one column changes',
    catalog(ROWS),
    catalog(GREEN, { plan: 'shop', every: 'week' }),
    0,
    1,
  ],
  [
    'the post plan gets a name and another `every`, and one column changes',
    catalog(ROWS, { every: 'week' }),
    catalog(GREEN, { plan: 'shop', every: 'day' }),
    0,
    1,
  ],
  [
    'the post plan gets a name and loses `every`, and one column changes',
    catalog(ROWS, { every: 'week' }),
    catalog(GREEN, { plan: 'shop' }),
    0,
    1,
  ],
  [
    'another `every` and a dimension come, and one column changes',
    catalog(ROWS, { every: 'week' }),
    catalog(GREEN, { every: 'month', side: 'x' }),
    0,
    1,
  ],
  [
    'the post plan gets another `every`, and a row a key',
    catalog(ROWS, { every: 'week' }),
    catalog({ a: ROWS.a, c: ROWS.b }, { every: 'day' }),
    0,
    0,
  ],
  [
    'the post plan gets another `every`, and a row a key and a column',
    catalog(ROWS, { every: 'week' }),
    catalog({ a: ROWS.a, c: GREEN.b }, { every: 'day' }),
    0,
    1,
  ],
  [
    'the post plan gets a name, and its only row another format and text',
    catalog({ b: ROWS.b }),
    catalog({ b: GREEN.b }, { plan: 'shop', item: { ratio: '9:16' } }),
    0,
    1,
  ],
  [
    'a row with the photo of another one gets a key and a name, and that one takes its old key',
    catalog({ a: ROWS.a, b: TWIN }),
    catalog({ b: ROWS.a, c: { ...TWIN, name: 'Hocker L' } }),
    0,
    1,
  ],
  [
    'all rows move on by one key, of which two have one photo, and the last one gets a name',
    catalog({ a: { photos: ['3'], colour: 'gelb' }, b: ROWS.a, c: TWIN }),
    catalog({ b: { photos: ['3'], colour: 'gelb' }, c: ROWS.a, d: { ...TWIN, name: 'Hocker L' } }),
    0,
    1,
  ],
  [
    'all rows move on by one key, of which two have one photo, and the last one gets a second photo',
    catalog({ a: ROWS.a, b: { ...SHELF, photos: ['3'], name: 'Tisch', colour: 'gelb' }, c: TWIN }),
    catalog({
      b: ROWS.a,
      c: { ...SHELF, photos: ['3'], name: 'Tisch', colour: 'gelb' },
      d: { ...TWIN, photos: ['1', '9'] },
    }),
    0,
    1,
  ],
  [
    'a post plan gets a name, and its item shows one of two products, in another text',
    hero([{ products: ['a', 'b'], descriptions: ['x'] }]),
    { ...hero([]), posts: { top: { items: [{ products: ['b'], descriptions: ['y'] }] } } },
    0,
    1,
  ],
  [
    'a new row has the one photo of another one, which gets a second one',
    catalog({ a: { ...ROWS.a, name: 'Regal S' } }),
    catalog({
      a: { ...ROWS.a, name: 'Regal S', photos: ['1', '9'] },
      c: { ...ROWS.a, name: 'Regal M' },
    }),
    1,
    1,
  ],
  [
    'the items of a carousel get a key, and one column changes',
    catalog(ROWS, { item: { type: 'carousel' } }),
    catalog(GREEN, { item: { type: 'carousel', key: 'k' } }),
    0,
    1,
  ],
  [
    'a carousel gets a slide and a key, and its post plan a name',
    catalog(ROWS, { item: CAROUSEL }),
    catalog(ROWS, { plan: 'shop', item: { ...CAROUSEL, key: 'k', descriptions: ['one', 'two'] } }),
    0,
    2,
  ],
  [
    'keys of items go round, and one of the items has none',
    hero([
      { descriptions: ['x'] },
      { key: 'k', products: ['b'] },
      { key: 'l', descriptions: ['y'], ratio: '4:5' },
    ]),
    hero([
      { key: 'k', descriptions: ['x'] },
      { key: 'l', products: ['b'] },
      { descriptions: ['y'], ratio: '4:5' },
    ]),
    0,
    0,
  ],
  [
    'an item loses its key to a new one that comes first, and its concept has another text',
    hero([{ key: 'k', descriptions: ['x'] }]),
    hero([{ key: 'k', products: ['b'] }, { descriptions: ['x'] }], 'Hard'),
    1,
    1,
  ],
  [
    'a new item comes before one whose text changed',
    hero([{ descriptions: ['x'] }, { products: ['b'] }]),
    hero([{ products: ['b'], ratio: '4:5' }, { descriptions: ['y'] }, { products: ['b'] }]),
    1,
    1,
  ],
];

describe('two edits in one', () => {
  it.each(CASES)('%s', (_, before, edited, bought, asked) => {
    const state = stateAfter(before);
    const held = planOf(edited, state, { replacements: 'hold' });
    expect({ bought: held.newPosts, asked: held.held.length }).toEqual({ bought, asked });
    expect(held.leftAlone.filter((address) => address.startsWith('media'))).toEqual([]);
    const next = applied(held, state);
    expect(planOf(edited, next, { replacements: 'hold' })).toMatchObject({ newPosts: 0, moves: [] });
    expect(outline(planOf(edited, applied(planOf(edited, next), next)))).toEqual([]);
  });

  it.each(CASES)('keep what is to be kept for good: %s', (_, before, edited, bought) => {
    const never = (words: CampaignWords): CampaignWords => ({
      ...words,
      posts: Object.fromEntries(
        Object.entries(words.posts ?? {}).map(([path, post]) => [
          path,
          { ...post, regenerate: 'never' as const },
        ]),
      ),
    });
    const plan = planOf(never(edited), stateAfter(never(before)));
    expect([plan.newPosts, plan.held]).toEqual([bought, []]);
  });
});

it('an approved post is kept under its new name', () => {
  const state = stateAfter(catalog(ROWS));
  const edited = catalog({ a: ROWS.a, c: GREEN.b }, { plan: 'shop', item: { key: 'k' } });
  const approved: Verdict = { verdict: 'approved', source: 'd#/decisions/0' };
  const verdicts = new Map([['id of media/catalog/b/1@1', approved]]);
  const plan = planOf(edited, state, { verdicts });
  expect([plan.newPosts, plan.held]).toEqual([0, []]);
  expect(plan.moves).toContainEqual({ from: 'media/catalog/b/1', to: 'media/shop/c/k' });
  expect(outline(planOf(edited, applied(plan, state), { verdicts }))).toEqual([]);
});

it('a rejected post is asked about once, for both reasons', () => {
  const state = stateAfter(catalog(ROWS));
  const edited = catalog({ a: ROWS.a, c: GREEN.b }, { item: { key: 'k' } });
  const rejected: Verdict = { verdict: 'rejected', source: 'd#/decisions/0' };
  const verdicts = new Map([['id of media/catalog/b/1@1', rejected]]);
  expect(planOf(edited, state, { verdicts, replacements: 'hold' })).toMatchObject({ newPosts: 1 });
});

it('a post with the same text is known before one in the same format: what competes with it is new', () => {
  const of = (posts: Readonly<Record<string, ItemWords>>): CampaignWords => ({
    ...catalog(ROWS),
    posts: Object.fromEntries(
      Object.entries(posts).map(([path, item]) => [path, { items: [{ products: ['a'], ...item }] }]),
    ),
  });
  const state = stateAfter(of({ story: { descriptions: ['x'] } }));
  const edited = of({ high: { descriptions: ['x'], ratio: '9:16' }, hero: { descriptions: ['y'] } });
  expect(planOf(edited, state, { replacements: 'hold' })).toMatchObject({
    moves: [{ from: 'media/story/1', to: 'media/high/1' }],
    held: [{ address: 'media/high/1' }],
    newPosts: 1,
  });
});

it('a post that is another one by likeness takes its earlier periods along', () => {
  const weekly = (day: string, rows: typeof ROWS, item: ItemWords = {}) => {
    const { posts, ...rest } = catalog(rows, { item });
    const inPeriod = Object.entries(posts ?? {}).map(([path, post]) => [
      path,
      { ...post, period: periodOf('week', day) },
    ]);
    return { ...rest, posts: Object.fromEntries(inPeriod) as Record<string, PostWords> };
  };
  const { a, b } = GREEN;
  const before = stateAfter(weekly('2026-11-22', ROWS), {}, stateAfter(weekly('2026-11-15', ROWS)));
  const renamed = { a, c: { ...b, photos: ['2', '3'], name: 'Schemel' } } as unknown as typeof ROWS;
  const plan = planOf(weekly('2026-11-22', renamed), before, { replacements: 'hold' });
  expect([plan.newPosts, plan.held.length]).toEqual([0, 1]);
  const after = applied(plan, before);
  expect(planOf(weekly('2026-11-15', renamed), after, { replacements: 'hold' }).newPosts).toBe(0);
});

describe('what is new is bought without a question', () => {
  const state = stateAfter(catalog(ROWS));
  const table = { name: 'Tisch', photos: ['3'], colour: 'gelb' };

  it.each([
    ['a row', catalog({ ...ROWS, c: table }), 1],
    ['a row beside one that is gone and has nothing in common with it', catalog({ a: ROWS.a, c: table }), 1],
    [
      'a period',
      {
        ...catalog(ROWS),
        posts: { ...catalog(ROWS).posts, ...catalog(ROWS, { plan: 'weekly', every: 'week' }).posts },
      },
      2,
    ],
    [
      'a post plan',
      { ...catalog(ROWS), posts: { ...catalog(ROWS).posts, ...catalog(ROWS, { plan: 'other' }).posts } },
      2,
    ],
  ])('%s', (_, edited, bought) => {
    expect(planOf(edited, state, { replacements: 'hold' })).toMatchObject({ newPosts: bought, held: [] });
  });

  it('the next period, where another post plan is taken away in the same edit', () => {
    const of = (day: string, rest: Readonly<Record<string, PostWords>>): CampaignWords => ({
      ...catalog(ROWS),
      posts: { ...rest, hero: { period: periodOf('week', day), items: [{ products: ['a'] }] } },
    });
    const before = stateAfter(of(DAY, { top: { items: [{ products: ['a'], descriptions: ['x'] }] } }));
    const plan = planOf(of('2026-11-23', {}), before, { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 1, moves: [], held: [], leftAlone: ['media/top/1'] });
  });

  it('what comes after a set that is gone with its post plan was applied', () => {
    const { posts = {}, ...rest } = catalog(ROWS);
    const weekly = { period: periodOf('week', DAY), items: [{ products: ['a'], ratio: '9:16' }] };
    const now = Date.parse('2026-12-24');
    const before = stateAfter({ ...rest, posts: { ...posts, hero: weekly } });
    const removed = planOf({ ...rest, posts }, before, { now });
    expect(removed).toMatchObject({ leftAlone: [], unnoted: { addresses: ['media/hero/2026-w47/1'] } });
    const grown = {
      ...rest,
      posts: { ...posts, high: { items: [{ products: ['a'], descriptions: ['y'], ratio: '9:16' }] } },
    };
    expect(planOf(grown, before, { replacements: 'hold', now }).newPosts).toBe(0);
    const plan = planOf(grown, applied(removed, before), { replacements: 'hold', now });
    expect(plan).toMatchObject({ newPosts: 1, moves: [], held: [] });
  });

  it('the next period, where the item got a key and another text meanwhile', () => {
    const weekly = (day: string, item: ItemWords): CampaignWords => ({
      ...catalog(ROWS),
      posts: { hero: { period: periodOf('week', day), items: [{ products: ['a'], ...item }] } },
    });
    const before = stateAfter(weekly(DAY, { descriptions: ['x'] }));
    const plan = planOf(weekly('2026-11-23', { key: 'k', descriptions: ['y'] }), before, {
      replacements: 'hold',
    });
    expect(plan).toMatchObject({ newPosts: 1, moves: [], held: [] });
  });
});

describe('an item that goes to another post plan and shows another product', () => {
  const key = 'main';
  const one = hero([{ key, descriptions: ['x'] }, { descriptions: ['y'] }]);
  const other = hero([{ key, products: ['b'], descriptions: ['x'] }, { descriptions: ['y'] }]);
  const both: CampaignWords = {
    ...one,
    posts: {
      hero: { items: [{ products: ['a'], descriptions: ['y'] }] },
      top: { items: [{ key, products: ['b'], descriptions: ['x'] }] },
    },
  };

  it('is a new one where it does both at once, and the plan says what is left alone', () => {
    const plan = planOf(both, stateAfter(one), { replacements: 'hold' });
    expect(plan).toMatchObject({ newPosts: 1, held: [], leftAlone: ['media/hero/main'] });
  });

  it('is asked about where an apply is between the two', () => {
    const state = stateAfter(one);
    const between = applied(planOf(other, state, { replacements: 'hold' }), state);
    expect(planOf(both, between, { replacements: 'hold' })).toMatchObject({
      newPosts: 0,
      held: [{ address: 'media/top/main' }],
      leftAlone: [],
    });
  });
});
