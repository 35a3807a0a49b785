/** How a new post that is held up is shown: as what it is, a new post, and by what it is held up. */
import { expect, it } from 'vitest';
import { planJson } from '../../src/render/plan-json.ts';
import { planMarkdown } from '../../src/render/plan-markdown.ts';
import { planText } from '../../src/render/plan-text.ts';
import { reviewPlan } from '../../src/views/plan-review.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { PLAIN } from '../support/plain-style.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';
import { locate } from './plan-samples.ts';

const named = (name: string, ratio: string, posts: number): CampaignWords => ({
  posts: { [name]: { items: Array.from({ length: posts }, () => ({ products: ['tote'], ratio })) } },
  products: { tote: { photos: ['front'] } },
  concepts: { morning: {} },
});
const heldUp = (posts: number) =>
  planOf(named('wide', '16:9', posts), stateAfter(named('tall', '9:16', posts)), { replacements: 'hold' });

it('is a plus in the text, alone and in a group', () => {
  const campaign = { locate, target: 'm.yaml' };
  expect(
    planText(heldUp(1), { campaign, style: PLAIN }),
  ).toBe(`    + media/wide/1  held up: requesting it as a new post needs --yes
        it may be what media/tall/1 was, which the manifest no longer names
        if it is the same post, write moved: [{ from: media/tall/1, to: media/wide/1 }]
    media/tall/1 left alone: the manifest no longer names it

Plan: 0 to create, 0 to update, 0 to replace, 0 to delete. 0 new posts. 1 held up.
`);
  const grouped = planText(heldUp(50), { campaign, style: PLAIN, detail: { lines: 20 } });
  expect(grouped).toMatch(
    /^ {4}\+ media\/wide: 50 posts, .*held up: requesting them as new posts needs --yes/m,
  );
  expect(grouped).toContain('0 new posts. 50 held up.\n');
});

it('has a list of its own in the comment, and names in JSON what holds it up', () => {
  const plan = heldUp(1);
  const review = reviewPlan(plan, new Map(), []);
  const shown = { name: 'spring', environment: 'live', target: 'm.yaml', review, locate };
  const comment = planMarkdown({ marker: 'spring live', plans: [shown] });
  expect(comment).toContain('1 held up');
  expect(comment).toContain('Held up: new posts that may be earlier ones');
  expect(comment).not.toContain('inished posts that are left');
  expect(planJson(plan, () => undefined).held).toMatchObject([
    { address: 'media/wide/1', held_by: ['media/tall/1'] },
  ]);
});
