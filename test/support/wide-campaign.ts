/** A campaign with as many nodes as a test wants, and what one post of it costs. */
import { NOTHING_SPENT } from '../../src/model/budget.ts';
import { moneyOf } from '../../src/model/money.ts';
import type { Purse } from '../../src/plan/plan-cost.ts';
import type { CampaignWords, PostWords, ProductWords } from './campaign.ts';

interface Wide {
  /** Products of the matrix `grid`, each with two posts. */
  readonly products: number;
  /** Post plans with one post each. */
  readonly plans?: number;
  readonly textOf?: (index: number) => string;
  readonly mood?: string;
}

export function wideCampaign({
  products,
  plans = 0,
  textOf = (index) => `text ${index}`,
  mood = 'Soft light',
}: Wide): CampaignWords {
  const indices = Array.from({ length: products }, (_, index) => index);
  const grid = indices.map((index): [string, PostWords] => [
    `grid/p${index}`,
    { items: ['1:1', '9:16'].map((ratio) => ({ products: [`p${index}`], ratio })) },
  ]);
  const alone = Array.from({ length: plans }, (_, index): [string, PostWords] => [
    `solo${index}`,
    { items: [{ products: ['p0'], type: 'video', descriptions: [textOf(index)] }] },
  ]);
  return {
    products: Object.fromEntries(
      indices.map((index): [string, ProductWords] => [
        `p${index}`,
        { photos: [`p${index}`], ...(index > 0 && { description: textOf(index) }) },
      ]),
    ),
    concepts: { morning: { description: mood } },
    posts: Object.fromEntries([...grid, ...alone]),
  };
}

export const PURSE: Purse = {
  currency: 'EUR',
  prices: { image: moneyOf(0.1), video: moneyOf(1.2), carousel: moneyOf(0.3) },
  limits: [],
  spent: { run: NOTHING_SPENT, month: NOTHING_SPENT },
  excess: 'show',
};
