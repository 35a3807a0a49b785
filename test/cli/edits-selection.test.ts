import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, type EditedCampaign } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

/** Addresses that a plan changes, and how many nodes it leaves out. */
async function chosen(campaign: EditedCampaign, ...flags: string[]) {
  const { stdout } = await campaign.run(['plan', '--json', ...flags]);
  const plan = JSON.parse(stdout) as { changes: { address: string }[]; not_selected: number };
  return [...plan.changes.map(({ address }) => address), plan.not_selected];
}

describe('--replace', () => {
  it('requests a finished post again without a question', async () => {
    const campaign = await applied.copy();
    const text = await campaign.plan('--replace', 'media/hero/kitchen');
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

            media-config/hero@2  one request, 1 post
        -/+ media/hero/kitchen
              asked for with --replace

      Plan: 0 to create, 0 to update, 1 to replace, 0 to delete. 1 post to pay.
      "
    `);
    const { code, posts } = await campaign.apply(
      '--replace',
      'media/hero/kitchen',
      '--replace',
      'media/hero/1',
    );
    expect([code, posts]).toEqual([0, 2]);
    expect(await campaign.plan()).toContain('\nNo changes.\n');
  });

  it('of a post that nobody knows is wrong usage', async () => {
    const campaign = await applied.copy();
    expect(await campaign.run(['plan', '--replace', 'media/hero/kitchn'])).toMatchInlineSnapshot(`
      {
        "code": 64,
        "signal": null,
        "stderr": "error: No such post [unknown-address]
        --replace media/hero/kitchn: the manifest has no post of that address that could be requested again. \`campaign status\` and \`campaign plan\` name the addresses.

      ",
        "stdout": "",
      }
    `);
    expect(await campaign.apply('--replace', 'product/tote')).toMatchObject({ code: 64, requests: [] });
  });
});

describe('--replace with a glob', () => {
  it('says how many posts that are, and needs a yes', async () => {
    const campaign = await applied.copy();
    expect(await chosen(campaign, '--replace', '--all')).toHaveLength(8);
    const held = await campaign.apply('--replace', 'media/grid/*');
    expect(held).toMatchObject({ code: 5, requests: [] });
    expect(held.stdout).toContain(
      'Plan: 0 to create, 0 to update, 0 to replace, 0 to delete. 0 new posts. 4 finished left as they are.',
    );
    expect(held.stdout).toContain(
      'Finished posts were left as they are: the same command with `--yes` requests them again (4 posts).',
    );
    expect(await campaign.apply('--replace', 'media/grid/*', '--yes')).toMatchObject({ code: 0, posts: 4 });
  });

  it('leaves approved posts out, and says so where nothing else matches', async () => {
    const campaign = await applied.copy();
    expect(await campaign.run(['approve', 'media/hero/*'])).toMatchObject({ code: 0 });
    const text = await campaign.plan('--replace', 'media/*');
    expect(text).toContain('✓ media/hero/kitchen  kept: approved');
    expect(text).toContain('4 to replace');
    const nothing = await campaign.run(['plan', '--replace', 'media/hero/?*']);
    expect([nothing.code, nothing.stderr]).toEqual([
      64,
      `error: No such post [unknown-address]
  --replace media/hero/?*: it matches no finished post that could be requested again. Posts that are approved, or kept by \`regenerate: never\`, are requested again by their own address only.

`,
    ]);
  });
});

describe('--retry-failed', () => {
  it('requests failed posts again, all or those that a glob names', async () => {
    const broken = await applyCampaign(undefined, { failing: ['4:5', '9:16'] });
    try {
      const campaign = await broken.copy();
      const failed = await campaign.run(['plan']);
      expect(failed.stdout).toContain('\nNo changes; 2 failed, 2 to recheck.\n');
      expect((await campaign.apply()).code).toBe(1);
      expect(await chosen(campaign, '--retry-failed=media/hero/k*')).toEqual(['media/hero/kitchen', 0]);
      expect(await chosen(campaign, '--retry-failed', 'campaign.yaml')).toEqual([
        'media/hero/kitchen',
        'media/hero/2',
        0,
      ]);
      expect(await chosen(campaign, '--retry-failed=product/*')).toEqual([0]);
      const again = await campaign.apply('--retry-failed=media/hero/k*');
      expect([again.code, again.posts]).toEqual([1, 1]);
      expect(again.stdout).toContain('retried after a failure');
      expect((await campaign.apply()).posts).toBe(0);
    } finally {
      await broken.remove();
    }
  });
});

describe('--only', () => {
  it('takes what matches and all that it builds on', async () => {
    const campaign = await applied.copy();
    await campaign.change('Soft light', 'Hard light');
    await campaign.change('Stoneware', 'Porcelain');
    expect(await chosen(campaign, '--only', 'media/grid/morning+tote/1')).toEqual([
      'concept/morning',
      'media/grid/morning+tote/1',
      9,
    ]);
    expect(await chosen(campaign, '--only', 'product/mug')).toEqual(['product/mug', 13]);
    expect(await chosen(campaign, '--only', '*/hero*', '--only', 'concept/*')).toEqual([
      'product/mug',
      'concept/morning',
      'media/hero/kitchen',
      'media/hero/1',
      'media/hero/2',
      4,
    ]);
    const { code, posts } = await campaign.apply('--yes', '--only', 'media/hero/*');
    expect([code, posts]).toEqual([0, 3]);
    const text = await campaign.plan();
    expect(text).toMatch(/^Plan: 0 to create, 0 to update, 3 to replace, 0 to delete\. 3 posts to pay\.$/m);
  });

  it('of nothing is a typing error, not a plan', async () => {
    const campaign = await applied.copy();
    for (const flag of ['--only', '--exclude']) {
      const { code, stderr } = await campaign.run(['plan', flag, 'media/nobody']);
      expect(code).toBe(64);
      expect(stderr).toContain(
        'error: Nothing has that address [no-match]\n  media/nobody matches no address',
      );
    }
  });
});

describe('--exclude', () => {
  it('leaves out what matches and all that builds on it', async () => {
    const campaign = await applied.copy();
    await campaign.change('Soft light', 'Hard light');
    await campaign.change('Stoneware', 'Porcelain');
    expect(await chosen(campaign, '--exclude', 'concept/morning')).toEqual([
      'product/mug',
      'media/grid/night+mug/1',
      6,
    ]);
    expect(await chosen(campaign, '--exclude', 'media/*')).toEqual(['product/mug', 'concept/morning', 7]);
    expect(await chosen(campaign, '--only', 'media/hero/*', '--exclude', '*/kitchen')).toEqual([
      'product/mug',
      'concept/morning',
      'media/hero/1',
      'media/hero/2',
      6,
    ]);
    const { code, posts } = await campaign.apply('--exclude', 'media/*');
    expect([code, posts]).toEqual([0, 0]);
  });
});
