import { expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { hasPending, wasAskedBefore } from '../../src/plan/asked-before.ts';
import { type CampaignWords, graphOf } from '../support/campaign.ts';
import { stateAfter } from '../support/play-plan.ts';

const campaign = ({
  photos = ['tote'],
  light = 'Soft',
  text = 'On a chair',
  plan = 'hero',
} = {}): CampaignWords => ({
  products: { tote: { photos } },
  concepts: { morning: { description: light } },
  posts: { [plan]: { items: [{ products: photos.length ? ['tote'] : [], descriptions: [text] }] } },
});

it.each([
  ['asks for the same', campaign(), true],
  [
    'asks for the same photos with other words elsewhere',
    campaign({ light: 'Hard', text: 'x', plan: 'y' }),
    true,
  ],
  ['asks for other photos with the same words', campaign({ photos: ['mug'] }), false],
])('a campaign that %s', (_, words, expected) => {
  expect(wasAskedBefore(graphOf(words), stateAfter(campaign()))).toBe(expected);
  expect(wasAskedBefore(graphOf(words), emptyState())).toBe(false);
});

it('posts that show no product are those that say the same', () => {
  const without = (text: string): CampaignWords => ({
    concepts: { morning: { description: 'Soft' } },
    posts: { hero: { items: [{ products: [], descriptions: [text] }] } },
  });
  const state = stateAfter(without('Sky'));
  expect([without('Sky'), without('Sea')].map((words) => wasAskedBefore(graphOf(words), state))).toEqual([
    true,
    false,
  ]);
});

it('posts are pending until they are generated or failed', () => {
  const states = [stateAfter(campaign()), stateAfter(campaign(), { 'media/hero/1@1': 'open' }), emptyState()];
  expect(states.map(hasPending)).toEqual([false, true, false]);
});
