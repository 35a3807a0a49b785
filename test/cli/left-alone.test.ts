/** What was left alone before is nobody's former self: growth after a removal is bought without a question. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, type EditedCampaign } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

const STATE = 'spring.default.state.jsonl';
const KITCHEN = /\n *- \{ key: kitchen.*/;
const added = (key: string, text: string) =>
  `items:\n      - { key: ${key}, post_type: image, products: [tote, mug], aspect_ratio: "4:5", descriptions: [${text}] }\n`;

async function noted(campaign: EditedCampaign) {
  const lines = (await campaign.read(STATE)).trim().split('\n');
  return lines.flatMap((line) => {
    const { event } = JSON.parse(line) as { event?: { type: string; addresses: unknown; again: unknown } };
    return event?.type === 'let-go' ? [[event.addresses, event.again]] : [];
  });
}

it('an apply of a removal notes it once, and what is added later is bought', async () => {
  const campaign = await applied.copy();
  await campaign.change(KITCHEN, '');
  expect(await campaign.apply('--only', 'media/grid/*')).toMatchObject({ code: 0, requests: [] });
  expect(await noted(campaign)).toEqual([]);
  const first = await campaign.apply();
  expect(first).toMatchObject({ code: 0, requests: [] });
  expect(first.stdout).toContain('No changes.');
  const gone = [['media/hero/kitchen'], []];
  expect(await noted(campaign)).toEqual([gone]);
  const state = await campaign.read(STATE);
  for (let n = 0; n < 2; n += 1) expect(await campaign.apply()).toMatchObject({ code: 0, requests: [] });
  expect(await campaign.read(STATE)).toBe(state);

  await campaign.change('items:\n', added('beach', 'By the sea'));
  expect(await campaign.plan()).toContain('+ media/hero/beach');
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 1 });
  expect(await noted(campaign)).toEqual([gone]);

  await campaign.change('items:\n', added('kitchen', 'On a chair'));
  expect(await campaign.apply('--only', 'media/grid/*')).toMatchObject({ code: 0, requests: [] });
  expect(await noted(campaign)).toEqual([gone, [[], ['media/hero/kitchen']]]);
  await campaign.change(KITCHEN, '');
  await campaign.change('items:\n', added('lake', 'On a boat'));
  expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
});

it('a removal and an addition in one edit are asked about, however often they are applied', async () => {
  const campaign = await applied.copy();
  await campaign.change(KITCHEN, '');
  await campaign.change('items:\n', added('beach', 'By the sea'));
  for (let n = 0; n < 2; n += 1) expect(await campaign.apply()).toMatchObject({ code: 5, posts: 0 });
  expect(await noted(campaign)).toEqual([]);
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 1 });
});
