/** The campaign that the edit table edits. */
import type { CampaignWords, ItemWords } from '../support/campaign.ts';

/** The items of `hero`. */
export const KITCHEN: ItemWords = { key: 'kitchen', products: ['tote', 'mug'], descriptions: ['On a chair'] };
export const SECOND: ItemWords = { products: ['mug'], ratio: '4:5' };
export const THIRD: ItemWords = { products: ['tote'], ratio: '9:16', type: 'video' };

/** Two products, two concepts; keyed and unkeyed items, a matrix. */
export const BEFORE = {
  products: {
    tote: { photos: ['front', 'side'] },
    mug: { photos: ['cup'], description: 'Stoneware' },
  },
  concepts: { morning: { description: 'Soft light', refs: ['linen'] }, night: { description: 'Neon' } },
  posts: {
    hero: { items: [KITCHEN, SECOND, THIRD] },
    'grid/morning+mug': { items: [{ products: ['mug'] }] },
    'grid/morning+tote': { items: [{ products: ['tote'] }] },
    'grid/night+mug': { concept: 'night', items: [{ products: ['mug'] }] },
    'grid/night+tote': { concept: 'night', items: [{ products: ['tote'] }] },
  },
} satisfies CampaignWords;
