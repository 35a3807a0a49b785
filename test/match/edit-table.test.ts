import { describe, expect, it } from 'vitest';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter, plain } from '../support/play-plan.ts';
import { BEFORE, KITCHEN, SECOND, THIRD } from './edit-sample.ts';

const STATE = stateAfter(BEFORE);

interface Row {
  readonly edit: string;
  readonly after: CampaignWords;
  readonly plan: readonly string[];
  readonly newPosts?: number;
  readonly leftAlone?: readonly string[];
}

const hero = (...items: readonly ItemWords[]) => ({
  ...BEFORE,
  posts: { ...BEFORE.posts, hero: { items } },
});

const TOTE_POSTS = [
  '+ media-config/hero@2',
  '-/+ media/hero/kitchen@2',
  '-/+ media/hero/2@2',
  '+ media-config/grid/morning+tote@2',
  '-/+ media/grid/morning+tote/1@2',
  '+ media-config/grid/night+tote@2',
  '-/+ media/grid/night+tote/1@2',
];

const ROWS: Row[] = [
  {
    edit: 'one photo of tote replaced',
    after: { ...BEFORE, products: { ...BEFORE.products, tote: { photos: ['front=new', 'side'] } } },
    plan: ['+ upload photos/front.jpg', '~ product/tote', ...TOTE_POSTS],
    newPosts: 4,
  },
  {
    edit: 'two photos of tote renamed so that their order changes',
    after: { ...BEFORE, products: { ...BEFORE.products, tote: { photos: ['a=side', 'b=front'] } } },
    plan: ['~ product/tote', ...TOTE_POSTS],
    newPosts: 4,
  },
  {
    edit: 'one word in a concept',
    after: {
      ...BEFORE,
      concepts: { ...BEFORE.concepts, night: { description: 'Bright neon' } },
    },
    plan: [
      '~ concept/night',
      '+ media-config/grid/night+mug@2',
      '-/+ media/grid/night+mug/1@2',
      '+ media-config/grid/night+tote@2',
      '-/+ media/grid/night+tote/1@2',
    ],
    newPosts: 2,
  },
  {
    edit: 'one item changed',
    after: hero(KITCHEN, { ...SECOND, ratio: '16:9' }, THIRD),
    plan: ['+ media-config/hero@2', '-/+ media/hero/1@2'],
    newPosts: 1,
  },
  {
    edit: 'one item with a key changed',
    after: hero({ ...KITCHEN, descriptions: ['On a table'] }, SECOND, THIRD),
    plan: ['+ media-config/hero@2', '-/+ media/hero/kitchen@2'],
    newPosts: 1,
  },
  {
    edit: 'one item inserted at the front',
    after: hero({ ratio: '16:9' }, KITCHEN, SECOND, THIRD),
    plan: ['+ media-config/hero@2', '+ media/hero/3@2'],
    newPosts: 1,
  },
  {
    edit: 'one item removed',
    after: hero(KITCHEN, THIRD),
    plan: [],
    leftAlone: ['media/hero/1'],
  },
  {
    edit: 'one matrix value added',
    after: {
      ...BEFORE,
      concepts: { ...BEFORE.concepts, noon: { description: 'Hard light' } },
      posts: {
        ...BEFORE.posts,
        'grid/noon+mug': { concept: 'noon', items: [{ products: ['mug'] }] },
        'grid/noon+tote': { concept: 'noon', items: [{ products: ['tote'] }] },
      },
    },
    plan: [
      '+ concept/noon',
      '+ media-config/grid/noon+mug@1',
      '+ media/grid/noon+mug/1@1',
      '+ media-config/grid/noon+tote@1',
      '+ media/grid/noon+tote/1@1',
    ],
    newPosts: 2,
  },
  {
    edit: 'products, concepts and posts reordered',
    after: {
      products: Object.fromEntries(Object.entries(BEFORE.products).reverse()),
      concepts: Object.fromEntries(Object.entries(BEFORE.concepts).reverse()),
      posts: Object.fromEntries(Object.entries(BEFORE.posts).reverse()),
    },
    plan: [],
  },
  { edit: 'items reordered', after: hero(THIRD, SECOND, KITCHEN), plan: [] },
  {
    edit: 'a photo renamed, the order kept',
    after: { ...BEFORE, products: { ...BEFORE.products, tote: { photos: ['a=front', 'b=side'] } } },
    plan: [],
  },
  {
    edit: 'a product key renamed',
    after: {
      ...BEFORE,
      products: { bag: BEFORE.products.tote, mug: BEFORE.products.mug },
      posts: {
        hero: {
          items: [{ ...KITCHEN, products: ['bag', 'mug'] }, SECOND, { ...THIRD, products: ['bag'] }],
        },
        'grid/bag+morning': { items: [{ products: ['bag'] }] },
        'grid/bag+night': { concept: 'night', items: [{ products: ['bag'] }] },
        'grid/morning+mug': BEFORE.posts['grid/morning+mug'],
        'grid/night+mug': BEFORE.posts['grid/night+mug'],
      },
    },
    plan: [
      '> product/tote → product/bag',
      '> media/grid/morning+tote/1 → media/grid/bag+morning/1',
      '> media/grid/night+tote/1 → media/grid/bag+night/1',
    ],
  },
  {
    edit: 'a concept key renamed',
    after: {
      ...BEFORE,
      concepts: { dawn: BEFORE.concepts.morning, night: BEFORE.concepts.night },
      posts: {
        hero: { concept: 'dawn', ...BEFORE.posts.hero },
        'grid/dawn+mug': { concept: 'dawn', items: [{ products: ['mug'] }] },
        'grid/dawn+tote': { concept: 'dawn', items: [{ products: ['tote'] }] },
        'grid/night+mug': BEFORE.posts['grid/night+mug'],
        'grid/night+tote': BEFORE.posts['grid/night+tote'],
      },
    },
    plan: [
      '> concept/morning → concept/dawn',
      '> media/grid/morning+mug/1 → media/grid/dawn+mug/1',
      '> media/grid/morning+tote/1 → media/grid/dawn+tote/1',
    ],
  },
  {
    edit: 'a post key renamed',
    after: {
      ...BEFORE,
      posts: {
        header: BEFORE.posts.hero,
        'grid/morning+mug': BEFORE.posts['grid/morning+mug'],
        'grid/morning+tote': BEFORE.posts['grid/morning+tote'],
        'grid/night+mug': BEFORE.posts['grid/night+mug'],
        'grid/night+tote': BEFORE.posts['grid/night+tote'],
      },
    },
    plan: [
      '> media/hero/kitchen → media/header/kitchen',
      '> media/hero/1 → media/header/1',
      '> media/hero/2 → media/header/2',
    ],
  },
  {
    edit: 'an item key renamed',
    after: hero({ ...KITCHEN, key: 'chair' }, SECOND, THIRD),
    plan: ['> media/hero/kitchen → media/hero/chair'],
  },
  {
    edit: 'description of a product written that was absent',
    after: {
      ...BEFORE,
      products: { ...BEFORE.products, tote: { ...BEFORE.products.tote, description: 'Canvas' } },
    },
    plan: ['~ product/tote', ...TOTE_POSTS],
    newPosts: 4,
  },
  {
    edit: '`name:` written equal to the default',
    after: {
      ...BEFORE,
      products: { ...BEFORE.products, tote: { ...BEFORE.products.tote, name: 'tote' } },
      concepts: { ...BEFORE.concepts, night: { ...BEFORE.concepts.night, name: 'night' } },
    },
    plan: [],
  },
];

describe('an edit costs exactly', () => {
  it('nothing where nothing was edited', () => {
    const plan = planOf(BEFORE, STATE);
    expect(plain(plan)).toEqual({
      nodes: [],
      moves: [],
      fileMoves: [],
      // 4 photos, 2 products, 2 concepts, 7 posts.
      unchanged: 15,
      newPosts: 0,
      rejected: 0,
      replaced: 0,
      isFree: false,
      failed: [],
      unknown: [],
      held: [],
      kept: [],
      leftAlone: [],
      beyondBudget: [],
      notSelected: 0,
    });
  });

  it.each(ROWS)('$edit', ({ after, plan: expected, newPosts = 0, leftAlone = [] }) => {
    const plan = planOf(after, STATE);
    expect(outline(plan)).toEqual(expected);
    expect(plan.newPosts).toBe(newPosts);
    expect(plan.leftAlone).toEqual(leftAlone);
  });

  it.each(ROWS)('once: $edit', ({ after }) => {
    const again = planOf(after, applied(planOf(after, STATE), STATE));
    expect(outline(again)).toEqual([]);
    expect(again.fileMoves).toEqual([]);
  });

  it.each(ROWS)('and the way back leads to the same campaign: $edit', ({ after }) => {
    const there = applied(planOf(after, STATE), STATE);
    const back = applied(planOf(BEFORE, there), there);
    expect(outline(planOf(BEFORE, back))).toEqual([]);
  });
});
