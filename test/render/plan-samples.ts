/** One plan with everything that a plan can hold, for golden text and JSON. */
import { type Plan, PlannedNodes } from '../../src/model/plan.ts';
import type { Locate } from '../../src/model/source.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';

const BEFORE: CampaignWords = {
  products: {
    tote: { photos: ['front', 'side'], description: 'Canvas' },
    mug: { photos: ['cup'] },
    bag: { photos: ['bag'] },
    pen: { photos: ['pen'] },
    old: { photos: ['old'] },
  },
  concepts: { morning: { description: 'Soft light' }, night: { description: 'Neon' } },
  posts: {
    hero: { items: [{ products: ['tote'] }, { products: ['mug'], ratio: '4:5' }] },
    late: { items: [{ products: ['mug'], type: 'video' }] },
    lost: { items: [{ products: ['mug'], type: 'carousel' }] },
    dark: { concept: 'night', items: [{ products: ['mug'] }] },
    page: { items: [{ products: ['mug'], descriptions: ['page'] }] },
    twice: { items: [{ products: ['mug'], descriptions: ['twice'] }] },
  },
};

const AFTER: CampaignWords = {
  products: {
    tote: { photos: ['new', 'side'], description: 'Natural canvas' },
    mug: { photos: ['cup'] },
    sack: { photos: ['bag'] },
    pen: { photos: ['pen'] },
    cap: { photos: ['https://cdn.example/cap.jpg'] },
  },
  concepts: { morning: { description: 'Soft light' }, night: { description: 'Neon' } },
  posts: {
    hero: {
      items: [
        { products: ['tote'] },
        { products: ['mug'], ratio: '4:5' },
        { products: ['cap'], ratio: '9:16' },
      ],
    },
    late: { items: [{ products: ['mug'], type: 'video' }] },
    lost: { items: [{ products: ['mug'], type: 'carousel' }] },
    dark: { concept: 'night', items: [{ products: ['mug'] }] },
    paper: { items: [{ products: ['mug'], descriptions: ['page'] }] },
    twice: { items: [{ products: ['mug'], descriptions: ['twice'] }] },
    wall: { items: [{ products: ['pen'] }, { products: ['mug'], variants: ['w'] }] },
  },
};

const STATE = stateAfter(BEFORE, {
  'product/pen': 'unknown',
  'concept/night': 'rejected',
  'media/late/1@1': 'seen',
  'media/lost/1@1': 'lost',
  'media-config/twice@1': 'interrupted',
});

/** Every action but `delete`, which no plan holds yet but every reader of plans must know. */
export const MADE: Plan = planOf(AFTER, STATE);

/** The same with its replacements held. */
export const HELD: Plan = planOf(AFTER, STATE, { replacements: 'hold' });

export const SAMPLE: Plan = {
  ...MADE,
  nodes: new PlannedNodes([
    ...MADE.nodes.listed,
    {
      address: 'media-config/gone@1',
      kind: 'media-config',
      action: 'delete',
      reasons: [{ summary: 'no longer named' }],
      dependsOn: [],
      payload: { id: 'id of the request', posts: ['media/gone/1@1', 'media/gone/2@1'] },
    },
    {
      address: 'product/gone',
      kind: 'product',
      action: 'delete',
      reasons: [{ summary: 'no longer named' }],
      dependsOn: ['media-config/gone@1'],
      payload: { id: 'id of the product', posts: [] },
    },
  ]),
};

const LINES: Readonly<Record<string, number>> = {
  '#/products/tote/description': 12,
  '#/products/tote/images/0': 13,
};

/** Positions of the fields that the sample changes. */
export const locate: Locate = (source) => {
  const line = LINES[source];
  return line === undefined ? undefined : { file: 'campaign.yaml', line, column: 5 };
};
