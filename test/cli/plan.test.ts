import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SMALL, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const EDITED = SMALL.replace('Soft light', 'Hard light');

async function bareCampaign(manifest = SMALL) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, host: new URL(service.url).host, campaign: await campaignFolder(manifest, service) };
}

async function appliedCampaign(manifest = SMALL) {
  const given = await bareCampaign(manifest);
  expect(await given.campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  return given;
}

describe('campaign plan', () => {
  it('shows what apply would do; sends nothing and writes no state', async () => {
    const { service, host, campaign } = await bareCampaign();
    expect(await campaign.run(['plan', 'm.yaml'])).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: `small · default · ${host} · small.default.state.jsonl · 0 known nodes

    + tote.png  upload/87095ce8b488ab5b, 1 kB
    + product/tote
    + concept/morning
      media-config/hero@1  one request, 2 posts
    + media/hero/kitchen  image 4:5
    + media/hero/tour  carousel 1:1

Plan: 5 to create, 0 to update, 0 to replace, 0 to delete. 2 new posts.
`,
    });
    expect(service.requests).toEqual([]);
    expect(await campaign.files()).not.toContain(STATE);
  });

  it('leads an edit back to its line, through everything that it changes', async () => {
    const { host, campaign } = await appliedCampaign();
    await campaign.write('m.yaml', EDITED);
    expect((await campaign.run(['plan', 'm.yaml'])).stdout).toBe(
      `small · default · ${host} · small.default.state.jsonl · 5 known nodes

    ~ concept/morning
        description: "Soft light" → "Hard light"  m.yaml:6
      media-config/hero@2  one request, 2 posts
  -/+ media/hero/kitchen
  -/+ media/hero/tour
        these 2 because:
          concept/morning changed (concept)
            description: "Soft light" → "Hard light"  m.yaml:6

Plan: 0 to create, 1 to update, 2 to replace, 0 to delete. 2 posts to pay.
`,
    );
  });

  it('answers machines with one object', async () => {
    const { campaign } = await appliedCampaign();
    await campaign.write('m.yaml', EDITED);
    const { code, stdout } = await campaign.run(['plan', 'm.yaml', '--json']);
    expect([code, stdout.split('\n').length]).toEqual([0, 2]);
    const reason = {
      summary: 'changed',
      field: 'description',
      from: 'Soft light',
      to: 'Hard light',
      file: 'm.yaml',
      line: 6,
    };
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: '1.0',
      changes: [
        { address: 'concept/morning', action: 'update', reasons: [reason] },
        {
          address: 'media/hero/kitchen',
          action: 'replace',
          reasons: [{ address: 'concept/morning', ...reason }],
        },
        {
          address: 'media/hero/tour',
          action: 'replace',
          reasons: [{ address: 'concept/morning', ...reason }],
        },
      ],
      requests: [{ address: 'media-config/hero@2', posts: 2, items: ['kitchen', 'tour'] }],
      summary: { create: 0, update: 1, replace: 2, delete: 0, move: 0, unchanged: 2 },
      pending: 0,
      failed: 0,
      unknown: 0,
      new_posts: 2,
      cost: null,
    });
  });

  it('--detailed-exitcode: 2 when something would be sent other than polls and downloads, else 0', async () => {
    const { campaign } = await bareCampaign();
    const plan = () => campaign.run(['plan', 'm.yaml', '--detailed-exitcode', '--quiet']);
    expect(await plan()).toMatchObject({
      code: 2,
      stdout: 'Plan: 5 to create, 0 to update, 0 to replace, 0 to delete. 2 new posts.\n',
    });
    await campaign.run(['apply', 'm.yaml', '--no-wait']);
    expect(await plan()).toMatchObject({ code: 0, stdout: 'No changes; 2 pending.\n' });
    await campaign.run(['apply', 'm.yaml']);
    expect(await plan()).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('an edit of a finished post', () => {
  it('leaves it as it is without --yes, and applies everything else: 5', async () => {
    const { service, campaign } = await appliedCampaign();
    await campaign.write('m.yaml', EDITED);
    const { code, stdout } = await campaign.run(['apply', 'm.yaml']);
    expect(code).toBe(5);
    expect(stdout.slice(stdout.indexOf('\n'))).toBe(`

    ~ concept/morning
        description: "Soft light" → "Hard light"  m.yaml:6
  -/+ media/hero/kitchen
  -/+ media/hero/tour
        these 2 left as they are (replacing finished posts needs --yes), because:
          concept/morning changed (concept)
            description: "Soft light" → "Hard light"  m.yaml:6

Plan: 0 to create, 1 to update, 0 to replace, 0 to delete. 0 new posts. 2 finished left as they are.

Apply incomplete: 1 updated, 4 unchanged.
Finished posts were left as they are, because nobody has agreed to request them again.

Next:
  campaign apply m.yaml --yes   requests 2 edited posts again
  campaign state accept m.yaml  keeps 2 edited posts as made; pays nothing
`);
    expect(service.created.concepts[0]).toMatchObject({ description: 'Hard light' });
    expect(service.created.configs).toHaveLength(1);
    expect(await campaign.run(['apply', 'm.yaml', '--quiet'])).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('these 2 left as they are (replacing finished posts needs --yes)'),
    });
  });

  it('requests it again with --yes; the older file steps aside', async () => {
    const { service, campaign } = await appliedCampaign(SINGLE);
    await campaign.write('m.yaml', SINGLE.replace('4:5', '1:1'));
    const { code, stdout } = await campaign.run(['apply', 'm.yaml', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nApply complete: 1 replaced, 3 unchanged, 1 file downloaded\.\nThe files are in out\/small\/default, listed in index\.json there and by `campaign outputs m\.yaml`\.\n\nNext:\n {2}campaign report m\.yaml {2}puts all pictures on one page, to approve and reject them\n$/,
    );
    expect(service.created.configs).toHaveLength(2);
    const folder = 'out/small/default/hero';
    expect((await campaign.files()).filter((file) => file.startsWith(folder))).toEqual([
      `${folder}/kitchen-image.png`,
      `${folder}/kitchen-image.take1.png`,
    ]);
    const index = JSON.parse(
      await readFile(join(campaign.folder, 'out/small/default/index.json'), 'utf8'),
    ) as { files: object[] };
    expect(index.files).toMatchObject([
      { address: 'download/hero/kitchen@1', take: 1, current: false, aspect_ratio: '4:5' },
      { address: 'download/hero/kitchen', take: 2, current: true, aspect_ratio: '1:1' },
    ]);
    expect((await campaign.run(['apply', 'm.yaml'])).stdout).toMatch(/\nNo changes\.\n$/);
  });
});

describe('a new name for the same thing', () => {
  it('is a move: nothing is sent, the file goes along', async () => {
    const { service, campaign } = await appliedCampaign(SINGLE);
    const { length } = service.requests;
    await campaign.write('m.yaml', SINGLE.replace('kitchen', 'salon'));
    const { code, stdout } = await campaign.run(['apply', 'm.yaml']);
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf('\n'))).toBe(`

    > media/hero/kitchen → media/hero/salon
    > out/small/default/hero/kitchen-image.png → out/small/default/hero/salon-image.png

Plan: 0 to create, 0 to update, 0 to replace, 0 to delete, 1 to move. 0 new posts.

Apply complete: 1 moved, 4 unchanged.
`);
    expect(service.requests).toHaveLength(length);
    expect(await campaign.files()).toContain('out/small/default/hero/salon-image.png');
  });
});
