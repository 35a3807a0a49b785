/** Plans that are too large to be read line by line. */
import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import type { Plan } from '../../src/model/plan.ts';
import { fitLines } from '../../src/render/fit-lines.ts';
import { openText, planText, waitText } from '../../src/render/plan-text.ts';
import { PLAIN } from '../support/plain-style.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';
import { PURSE, wideCampaign } from '../support/wide-campaign.ts';

const campaign = {
  locate: () => ({ file: 'campaign.yaml', line: 7, column: 1 }),
  target: 'm.yaml',
  everyLine: 'campaign plan m.yaml --all',
};
const SHOWN = { campaign, style: PLAIN };
const textOf = (plan: Plan) => planText(plan, SHOWN);
const lines = (text: string) => text.trimEnd().split('\n').length;

const BEFORE = wideCampaign({ products: 100, plans: 2 });
const DONE = stateAfter(BEFORE);
const OTHER_TEXTS = { products: 100, plans: 2, textOf: (index: number) => `other ${index}` };

describe('a large plan', () => {
  it('groups posts by post plan, and has one line for uploads, products and requests each', () => {
    const plan = planOf(BEFORE, emptyState(), { purse: PURSE });
    expect(`\n${textOf(plan)}`).toBe(`
    + 100 uploads, 150.0 MB: photos/p0.jpg, photos/p1.jpg, photos/p2.jpg and 97 more
    + 100 products: product/p0, product/p1, product/p2 and 97 more
    + concept/morning
      102 requests, 202 posts, 22.40 EUR
    + media/grid (100 instances): 200 posts, image, 20.00 EUR
    + media/solo0/1  video 1:1
    + media/solo1/1  video 1:1
  Lines that belong together are one line here; \`campaign plan m.yaml --all\` shows every line.

Plan: 403 to create, 0 to update, 0 to replace, 0 to delete. 202 new posts, 22.40 EUR.
`);
    expect(lines(planText(plan, { ...SHOWN, detail: 'all' }))).toBe(201 + 102 + 202 + 2);
  });

  it('lists what is paid again while there is room, and says why and what it costs where there is none', () => {
    const words = wideCampaign({ products: 100, plans: 2, mood: 'Hard light' });
    const plan = planOf(words, DONE, { purse: PURSE });
    expect(`\n${textOf(plan)}`).toBe(`
    ~ concept/morning
        description: "Soft light" → "Hard light"  campaign.yaml:7
      102 requests, 202 posts, 22.40 EUR
  -/+ media/grid (100 instances): 200 posts, image, 20.00 EUR, because concept/morning changed: description
  -/+ media/solo0/1
        concept/morning changed (concept)
          description: "Soft light" → "Hard light"  campaign.yaml:7
  -/+ media/solo1/1
        concept/morning changed (concept)
          description: "Soft light" → "Hard light"  campaign.yaml:7
  Lines that belong together are one line here; \`campaign plan m.yaml --all\` shows every line.

Plan: 0 to create, 1 to update, 202 to replace, 0 to delete. 202 posts to pay, 22.40 EUR.
`);
    const held = planOf(words, DONE, { purse: PURSE, replacements: 'hold' });
    expect(openText(held, SHOWN)).toContain(
      '-/+ media/grid (100 instances): 200 posts, image, 20.00 EUR, because concept/morning changed: description, left as they are: replacing finished posts needs --yes\n',
    );
  });

  it('says causes of one kind together where each is another one', () => {
    const text = textOf(planOf(wideCampaign(OTHER_TEXTS), DONE, { purse: PURSE }));
    expect(`\n${text}`).toBe(`
    ~ 99 products, because description changed: product/p1, product/p2, product/p3 and 96 more
      101 requests, 200 posts, 22.20 EUR
  -/+ media/grid (99 instances): 198 posts, image, 19.80 EUR, because 99 products changed: description
  -/+ media/solo0/1, video, 1.20 EUR, because descriptions[0]: "text 0" → "other 0"  campaign.yaml:7
  -/+ media/solo1/1, video, 1.20 EUR, because descriptions[0]: "text 1" → "other 1"  campaign.yaml:7
  Lines that belong together are one line here; \`campaign plan m.yaml --all\` shows every line.

Plan: 0 to create, 99 to update, 200 to replace, 0 to delete. 200 posts to pay, 22.20 EUR.
`);
  });

  it('names every post plan that is paid again, also where there are more of them than lines', () => {
    const before = wideCampaign({ products: 2, plans: 300 });
    const after = wideCampaign({ ...OTHER_TEXTS, products: 2, plans: 300 });
    const text = textOf(planOf(after, stateAfter(before), { purse: PURSE }));
    expect(lines(text)).toBeLessThan(100);
    expect(text).toContain(
      '-/+ 300 posts of 300 post plans, video, 360.00 EUR, because descriptions[0] changed: ',
    );
    for (let index = 0; index < 300; index += 1)
      expect(text).toMatch(new RegExp(`media/solo${index}/1[,\n]`));
    const fitted = fitLines(text, 80).split('\n');
    expect(Math.max(...fitted.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(fitted.join(' ').replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
  });

  it('has a line for all that failed, is gone, waits or is unknown for one cause', () => {
    const ends: Record<string, 'failed' | 'lost' | 'open' | 'unknown'> = { 'product/p99': 'unknown' };
    for (let index = 0; index < 20; index += 1) {
      ends[`media/grid/p${index}/1@1`] = 'open';
      ends[`media/grid/p${20 + index}/1@1`] = 'failed';
      ends[`media/grid/p${40 + index}/1@1`] = 'lost';
      ends[`media-config/grid/p${60 + index}@1`] = 'unknown';
    }
    const state = stateAfter(BEFORE, ends);
    expect(`\n${textOf(planOf(BEFORE, state))}`).toBe(`
    ! media/grid (1 instance): 2 posts, waits for product/p99
    … media/grid (20 instances): 20 posts, requested earlier
    ! media/grid (20 instances): 20 posts failed: Said no. The service said no.
    ! media/grid (20 instances): 20 posts gone: Said no. The service said no.
    ! product/p99 unknown: No answer  campaign.yaml:7
        decide: \`campaign resolve m.yaml product/p99\` asks, or takes --id UUID, --not-created or --skip
    ! media-config/grid (20 instances): 20 requests unknown: No answer
        decide: \`campaign resolve m.yaml --all\` shows what is known of each and asks; \`campaign resolve\` also takes an address or a glob
  Lines that belong together are one line here; \`campaign plan m.yaml --all\` shows every line.

No changes; 20 pending, 20 failed, 20 gone, 41 unknown, 2 blocked.
`);
    expect(lines(waitText(planOf(BEFORE, state), SHOWN))).toBe(11);
  });

  it('of 5,000 nodes has few lines', () => {
    const words = wideCampaign({ products: 1_000 });
    const text = textOf(planOf(words, emptyState()));
    expect(lines(text)).toBe(8);
    expect(text).toContain('+ media/grid (1000 instances): 2000 posts, image\n');
  });
});
