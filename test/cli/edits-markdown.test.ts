import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AppliedCampaign,
  applyCampaign,
  type EditedCampaign,
  photo,
  withWords,
} from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign(undefined, { failing: ['9:16'] });
});
afterAll(() => applied.remove());

async function markdown(campaign: EditedCampaign): Promise<string> {
  const { code, stdout, stderr } = await campaign.run(['plan', '--format', 'markdown']);
  expect([code, stderr]).toEqual([0, '']);
  return withWords(stdout);
}

describe('plan --format markdown', () => {
  it('says what costs money again first', async () => {
    const campaign = await applied.copy();
    await campaign.write('shots/cup.png', await photo('new'));
    await campaign.change('On a chair', '"On *a* < table > @all | [x](y)"');
    await campaign.change(
      'items:\n',
      'items:\n      - { key: cover, post_type: carousel, products: [tote], aspect_ratio: "1:1" }\n',
    );
    await campaign.change(/\bnight\b/g, 'dusk');
    await campaign.change(/ {6}- \{ post_type: image, products: \[mug\].*\n/, '');
    expect(await markdown(campaign)).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### \`spring\` → \`default\`: 4 posts to pay

      **Paid twice: 3 finished posts would be requested again.**

      1 to make besides posts, 1 to update, 3 to move, 1 failed, 1 to recheck.

      #### Paid twice: 3 finished posts

      | post | type | ratio | product | caption | photos | why |
      | --- | --- | --- | --- | --- | --- | --- |
      | \`hero/kitchen\` | \`image\` | \`4:5\` | \`tote\`, \`mug\` | \`On *a* < table > @all \`&#124;\` [x](y)\` | \`1-front.png\`, \`2-side.png\`, and 1 more | \`product/mug changed (assets[1].product)\`<br>\`images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6\`<br>\`descriptions[0]: "On a chair" → "On *a* < table > @all \`&#124;\` [x](y)"  campaign.yaml:19\` |
      | \`grid/morning+mug/1\` | \`image\` | \`1:1\` | \`mug\` |  | \`cup.png\` | \`product/mug changed (assets[0].product)\`<br>\`images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6\` |
      | \`grid/dusk+mug/1\` | \`image\` | \`1:1\` | \`mug\` |  | \`cup.png\` | as above |

      #### Failed

      - \`media/hero/2\`: \`The model gave up\`

      #### \`hero\`: 1 new post

      | post | type | ratio | product | photos |
      | --- | --- | --- | --- | --- |
      | \`hero/cover\` | \`carousel\` | \`1:1\` | \`tote\` | \`1-front.png\`, \`2-side.png\` |

      <details><summary>1 to update</summary>

      - \`product/mug\`: \`images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6\`

      </details>

      <details><summary>1 to make besides posts</summary>

      - \`shots/cup.png\`: \`upload/<new>\`

      </details>

      <details><summary>3 to move</summary>

      - \`concept/night\` → \`concept/dusk\`
      - \`media/grid/night+tote/1\` → \`media/grid/dusk+tote/1\`
      - \`media/grid/night+mug/1\` → \`media/grid/dusk+mug/1\`

      </details>

      <details><summary>1 failed before, to recheck</summary>

      - \`media/hero/2@1\`: \`rechecked: The generation failed\`

      </details>

      <details><summary>1 left alone: the manifest no longer names them</summary>

      - \`media/hero/1\`

      </details>
      "
    `);
  });

  it('of nothing to do is as short', async () => {
    const campaign = await applied.copy();
    expect(await markdown(campaign)).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### \`spring\` → \`default\`: 0 new posts

      Nothing is paid twice.

      No changes; 1 failed, 1 to recheck.

      #### Failed

      - \`media/hero/2\`: \`The model gave up\`

      <details><summary>1 failed before, to recheck</summary>

      - \`media/hero/2@1\`: \`rechecked: The generation failed\`

      </details>
      "
    `);
  });

  it('of several manifests is one comment, which names those without a plan', async () => {
    const campaign = await applied.copy();
    await campaign.change('aspect_ratio: "4:5"', 'aspect_ratio: "5:4"');
    await campaign.write('other/campaign.yaml', 'version: 1\n');
    const files = ['campaign.yaml', 'other/campaign.yaml'];
    const { code, stdout } = await campaign.run(['plan', ...files, '--format', 'markdown']);
    expect(code).toBe(65);
    expect(stdout.split('\n').slice(0, 12).join('\n')).toMatchInlineSnapshot(`
      "<!-- campaign-plan: campaign.yaml other/campaign.yaml -->
      ### 2 campaigns: 1 post to pay

      **Paid twice: 1 finished post would be requested again.**

      - \`other/campaign.yaml\` has no plan: invalid (65)

      ### \`spring\` → \`default\`: 1 post to pay

      **Paid twice: 1 finished post would be requested again.**

      1 failed, 1 to recheck."
    `);
  });

  it('fits into a comment however much there is', async () => {
    const campaign = await applied.copy();
    const sizes = Array.from({ length: 1_500 }, (_, index) => `"${index + 1}:7"`).join(', ');
    await campaign.change('matrix: { concept', `matrix: { size: [${sizes}], concept`);
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: "2:1" }\n');
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: "${{ matrix.size }}" }\n');
    const text = await markdown(campaign);
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text.length).toBeGreaterThan(60_000);
    expect(text.split('\n').slice(0, 12).join('\n')).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### \`spring\` → \`default\`: 6001 posts to pay

      **6000 new posts may be earlier ones, and \`apply\` asks before it requests them.**

      **Paid twice: 1 finished post would be requested again.**

      1 failed, 1 to recheck.

      #### Paid twice: 1 finished post

      | post | type | ratio | product | photos | why |"
    `);
    expect(text).toMatch(
      /\n… and \d+ more posts\.\n[^]*\n\nThis comment holds at most 65,000 characters: `campaign plan --json` lists all of it\.\n$/,
    );
  });
});
