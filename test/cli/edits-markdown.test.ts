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
    await campaign.change('On a chair', '"On *a* <b>table</b> @all | [x](y)"');
    await campaign.change(
      'items:\n',
      'items:\n      - { key: cover, post_type: carousel, products: [tote], aspect_ratio: "1:1" }\n',
    );
    await campaign.change(/\bnight\b/g, 'dusk');
    await campaign.change(/ {6}- \{ post_type: image, products: \[mug\].*\n/, '');
    expect(await markdown(campaign)).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### campaign: spring → default

      **2 to create, 1 to update, 3 to replace, 0 to delete, 3 to move. 4 new posts. 1 failed, 1 to recheck.**

      #### Finished posts that would be paid again

      - \`media/hero/kitchen\`
        - product/mug changed (assets\\[1\\].product)
          - images\\[0\\]: image <cup> → image <new>  campaign.yaml:6
        - descriptions\\[0\\]: "On a chair" → "On \\*a\\* \\<b\\>table\\</b\\> \\@all \\| \\[x\\](y)"  campaign.yaml:19
      - \`media/grid/morning+mug/1\`
        - product/mug changed (assets\\[0\\].product)
          - images\\[0\\]: image <cup> → image <new>  campaign.yaml:6
      - \`media/grid/dusk+mug/1\`
        - product/mug changed (assets\\[0\\].product)
          - images\\[0\\]: image <cup> → image <new>  campaign.yaml:6

      #### New posts

      - \`media/hero/cover\`

      #### Changed

      - \`product/mug\`
        - images\\[0\\]: image <cup> → image <new>  campaign.yaml:6

      #### New

      - \`upload/<new>\`

      #### Moved

      - \`concept/night\` → \`concept/dusk\`
      - \`media/grid/night+tote/1\` → \`media/grid/dusk+tote/1\`
      - \`media/grid/night+mug/1\` → \`media/grid/dusk+mug/1\`

      #### Failed before, to recheck

      - \`media/hero/2@1\`
        - rechecked: The generation failed

      #### Failed

      - \`media/hero/2\`

      #### Left alone: the manifest no longer names them

      - \`media/hero/1\`
      "
    `);
  });

  it('of nothing to do is as short', async () => {
    const campaign = await applied.copy();
    expect(await markdown(campaign)).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### campaign: spring → default

      **No changes; 1 failed, 1 to recheck.**

      #### Failed before, to recheck

      - \`media/hero/2@1\`
        - rechecked: The generation failed

      #### Failed

      - \`media/hero/2\`
      "
    `);
  });

  it('fits into a comment however much there is', async () => {
    const campaign = await applied.copy();
    const sizes = Array.from({ length: 6_000 }, (_, index) => `"${index + 1}:7"`).join(', ');
    await campaign.change('matrix: { concept', `matrix: { size: [${sizes}], concept`);
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: "2:1" }\n');
    await campaign.change('aspect_ratio: "1:1" }\n', 'aspect_ratio: "${{ matrix.size }}" }\n');
    const text = await markdown(campaign);
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text.length).toBeGreaterThan(60_000);
    expect(text.split('\n').slice(0, 12).join('\n')).toMatchInlineSnapshot(`
      "<!-- campaign-plan: spring default -->
      ### campaign: spring → default

      **24000 to create, 0 to update, 1 to replace, 0 to delete. 24001 new posts. 1 failed, 1 to recheck.**

      #### Finished posts that would be paid again

      - \`media/hero/1\`
        - metadata.aspect\\_ratio: "1:1" → "2:1"  campaign.yaml:19

      #### New posts
      "
    `);
    expect(text).toMatch(/\n\n… and \d+ more\.\n$/);
  });
});
