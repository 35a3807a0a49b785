/**
 * The campaign that the sweep applies over and over: each chapter is applied until nothing is left to do, the next one
 * is the same manifest after an edit. Together they hold every kind of record and a compaction.
 */
import { moneyOf } from '../../src/model/money.ts';
import type { CampaignWords, ItemWords, PostWords } from '../support/campaign.ts';
import type { CrashApply } from '../support/crash-apply.ts';

export type Chapter = Omit<CrashApply, 'fault'>;

const item = (key: string, product: string, more: Partial<ItemWords> = {}): ItemWords => ({
  key,
  products: [product],
  descriptions: [key],
  ...more,
});

const HERO: PostWords = { items: [item('kitchen', 'tote'), item('desk', 'mug', { ratio: '9:16' })] };
const STORY: PostWords = {
  concept: 'night',
  items: [item('spin', 'mug', { type: 'video' }), item('walk', 'tote')],
};

const FIRST: CampaignWords = {
  products: { tote: { photos: ['front', 'side'], description: 'Canvas' }, mug: { photos: ['mug'] } },
  concepts: { morning: { description: 'Soft light', refs: ['mood'] }, night: { description: 'Neon' } },
  posts: { hero: HERO, story: STORY },
};

/** An update, a rename, a new item, and prices: with the first of them the log gets its second format. */
const SECOND: CampaignWords = {
  ...FIRST,
  budget: { prices: { image: moneyOf(0.1), video: moneyOf(1.2) }, limits: [] },
  products: {
    tote: { photos: ['front', 'side'], description: 'Linen' },
    'mug.r1': { photos: ['mug'] },
    pen: { photos: ['pen'] },
  },
  posts: {
    hero: { items: [item('kitchen', 'tote'), item('desk', 'mug.r1', { ratio: '9:16' })] },
    'story.r1': {
      concept: 'night',
      items: [item('spin', 'mug.r1', { type: 'video' }), item('walk', 'tote')],
    },
    extra: { items: [item('shelf', 'pen')] },
  },
};

/** What only two of the post plans use is pruned: three requests, a concept and a product. */
const THIRD: CampaignWords = {
  products: { tote: SECOND.products?.['tote'] ?? {}, 'mug.r1': { photos: ['mug'] } },
  concepts: { morning: FIRST.concepts?.['morning'] ?? {} },
  posts: { hero: SECOND.posts?.['hero'] ?? HERO },
};

/** Two items exchange their keys: nothing is made anew. */
const FOURTH: CampaignWords = {
  ...THIRD,
  posts: {
    hero: {
      items: [
        { ...item('kitchen', 'tote'), key: 'desk' },
        { ...item('desk', 'mug.r1', { ratio: '9:16' }), key: 'kitchen' },
      ],
    },
  },
};

/** Chapters in order; in the second one the log outgrows its snapshot. */
export const STORY_OF_THE_SWEEP: readonly Chapter[] = [
  { words: FIRST },
  { words: SECOND, chatter: 25 },
  { words: SECOND, plan: { retryFailed: '*' } },
  { words: THIRD, plan: { prune: { maxDeletes: undefined } } },
  { words: FOURTH },
];

/** The first generation of one item fails. */
export function fateOf(description: string, nth: number): 'fails' | undefined {
  return description === 'spin' && nth === 1 ? 'fails' : undefined;
}

export function mayFail(description: string): boolean {
  return fateOf(description, 1) !== undefined;
}
