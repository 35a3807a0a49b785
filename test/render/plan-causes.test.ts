/** What an edit causes is read once, however many posts it replaces; each of these has its own line. */
import { expect, it } from 'vitest';
import { fitLines } from '../../src/render/fit-lines.ts';
import { planMarkdown } from '../../src/render/plan-markdown.ts';
import { openText, planText } from '../../src/render/plan-text.ts';
import { reviewPlan } from '../../src/views/plan-review.ts';
import { type CampaignWords, graphOf } from '../support/campaign.ts';
import { PLAIN } from '../support/plain-style.ts';
import { planGraph, stateAfter } from '../support/play-plan.ts';

const locate = () => ({ file: 'campaign.yaml', line: 7, column: 1 });
const campaign = { locate, target: 'm.yaml', everyLine: 'campaign plan m.yaml --all' };
const SHOWN = { campaign, style: PLAIN };

/** So many posts of a matrix with one concept and one product, and a post with another concept. */
function wordsOf(posts: number, mood: string, front: string): CampaignWords {
  const grid = Array.from({ length: posts }, (_, index) => [
    `grid/p${index}`,
    { items: [{ products: ['tote'], descriptions: [`caption ${index}`] }] },
  ]);
  return {
    products: { tote: { photos: [front, 'side'] } },
    concepts: { morning: { description: mood }, night: { description: 'Neon' } },
    posts: {
      ...Object.fromEntries(grid),
      alone: { concept: 'night', items: [{ products: ['tote'], type: 'video' }] },
    },
  };
}

it.each([1, 3, 16, 39, 41])('%d posts that one edit replaces', async (posts) => {
  const before = stateAfter(wordsOf(posts, 'Soft light', 'front'));
  const graph = graphOf(wordsOf(posts, 'Hard light', 'front'));
  const text = planText(planGraph(graph, before), SHOWN);
  const held = planGraph(graph, before, { replacements: 'hold' });
  const screens = [40, 80, 200].map((columns) => `${columns} columns\n\n${fitLines(text, columns)}`);
  const left = `left as they are, 80 columns\n\n${fitLines(openText(held, SHOWN), 80)}`;
  await expect([...screens, left].join('\n\n')).toMatchFileSnapshot(`screens/plan-${posts}.txt`);
  for (let index = 0; index < posts; index += 1) expect(text).toContain(`-/+ media/grid/p${index}/1\n`);
  expect(text.match(/Soft light/g)).toHaveLength(2);
});

it('several causes, photos by their paths, and a comment on a pull request', () => {
  const before = stateAfter(wordsOf(3, 'Soft light', 'front'));
  const graph = graphOf(wordsOf(3, 'Hard light', 'new'));
  const plan = planGraph(graph, before);
  expect(`\n${planText(plan, SHOWN)}`).toMatchInlineSnapshot(`
    "
        + photos/new.jpg  upload/11507a0e2f5e69d5, 1.5 MB
        ~ product/tote
            images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7
        ~ concept/morning
            description: "Soft light" → "Hard light"  campaign.yaml:7
          4 requests, 4 posts
      -/+ media/grid/p0/1
      -/+ media/grid/p1/1
      -/+ media/grid/p2/1
            these 3 because:
              product/tote changed (assets[0].product)
                images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7
              concept/morning changed (concept)
                description: "Soft light" → "Hard light"  campaign.yaml:7
      -/+ media/alone/1
            product/tote changed (assets[0].product)
              images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7

    Plan: 1 to create, 2 to update, 4 to replace, 0 to delete. 4 posts to pay.
    "
  `);
  const review = reviewPlan(plan, graph.objects, []);
  const reviewed = { name: 'spring', environment: 'stage', target: 'm.yaml', review, locate };
  expect(planMarkdown({ marker: 'm.yaml', plans: [reviewed] })).toMatchInlineSnapshot(`
    "<!-- campaign-plan: m.yaml -->
    ### \`spring\` → \`stage\`: 4 posts to pay

    **Paid twice: 4 finished posts would be requested again.**

    1 to make besides posts, 2 to update.

    #### Paid twice: 4 finished posts

    | post | type | ratio | product | caption | photos | why |
    | --- | --- | --- | --- | --- | --- | --- |
    | \`grid/p0/1\` | \`image\` | \`1:1\` | \`tote\` | \`caption 0\` | \`new.jpg\`, \`side.jpg\` | \`product/tote changed (assets[0].product)\`<br>\`images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7\`<br>\`concept/morning changed (concept)\`<br>\`description: "Soft light" → "Hard light"  campaign.yaml:7\` |
    | \`grid/p1/1\` | \`image\` | \`1:1\` | \`tote\` | \`caption 1\` | \`new.jpg\`, \`side.jpg\` | as above |
    | \`grid/p2/1\` | \`image\` | \`1:1\` | \`tote\` | \`caption 2\` | \`new.jpg\`, \`side.jpg\` | as above |
    | \`alone/1\` | \`video\` | \`1:1\` | \`tote\` |  | \`new.jpg\`, \`side.jpg\` | \`product/tote changed (assets[0].product)\`<br>\`images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7\` |

    <details><summary>2 to update</summary>

    - \`product/tote\`: \`images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:7\`
    - \`concept/morning\`: \`description: "Soft light" → "Hard light"  campaign.yaml:7\`

    </details>

    <details><summary>1 to make besides posts</summary>

    - \`photos/new.jpg\`: \`upload/11507a0e2f5e69d5\`

    </details>
    "
  `);
});
