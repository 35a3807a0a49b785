/** A campaign of two post plans, and the same without the second one and all that only that uses. */
import type { Plan } from '../../src/model/plan.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { planOf, type PlanOptions, stateAfter } from '../support/play-plan.ts';

/** `hero` shows the tote, `side` the mug in another concept. */
export const BOTH: CampaignWords = {
  products: { tote: { photos: ['front'] }, mug: { photos: ['cup'] } },
  concepts: { morning: { description: 'Soft' }, night: { description: 'Neon' } },
  posts: {
    hero: { items: [{ key: 'a', products: ['tote'] }] },
    side: {
      concept: 'night',
      items: [
        { key: 'b', products: ['mug'] },
        { key: 'c', products: ['mug'], ratio: '4:5' },
      ],
    },
  },
};

export const ONE: CampaignWords = {
  products: { tote: { photos: ['front'] } },
  concepts: { morning: { description: 'Soft' } },
  posts: { hero: { items: [{ key: 'a', products: ['tote'] }] } },
};

export const PRUNE = { prune: { maxDeletes: undefined } } satisfies Partial<PlanOptions>;

export function prunedPlan(
  words: CampaignWords,
  state: FoldState = stateAfter(BOTH),
  options: Partial<PlanOptions> = {},
): Plan {
  return planOf(words, state, { ...PRUNE, ...options });
}
