import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppliedCampaign, applyCampaign, type EditedCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

/** A copy with one edit, and the plan of it in a file. */
async function planned(...flags: string[]): Promise<EditedCampaign> {
  const campaign = await applied.copy();
  await campaign.change('Soft light', 'Hard light');
  expect(await campaign.run(['plan', '--out', 'spring.plan', ...flags])).toMatchObject({
    code: 0,
    stderr: '',
  });
  return campaign;
}

/** Refused with 5, nothing sent, the state as it was. */
async function expectRefused(campaign: EditedCampaign, why: string): Promise<void> {
  const log = await campaign.read('spring.default.state.jsonl');
  const { code, stderr, requests } = await campaign.apply('--plan', 'spring.plan');
  expect({ code, requests }).toEqual({ code: 5, requests: [] });
  expect(stderr).toContain('The saved plan no longer holds');
  expect(stderr.replace(/\s+/g, ' ')).toContain(`spring.plan: ${why}. Nothing was sent.`);
  expect(await campaign.read('spring.default.state.jsonl')).toBe(log);
}

describe('a saved plan', () => {
  it('is applied as it was reviewed, replacements included, and only once', async () => {
    const campaign = await planned();
    const { code, posts } = await campaign.apply('--plan', 'spring.plan');
    expect([code, posts]).toEqual([0, 5]);
    expect(await campaign.plan()).toContain('\nNo changes.\n');
    await expectRefused(campaign, 'the state has moved on since');
  });

  it('keeps what was selected', async () => {
    const campaign = await planned(
      '--only',
      'media/grid/morning+mug/1',
      '--replace',
      'media/grid/morning+mug/1',
    );
    const { code, posts, requests } = await campaign.apply('--plan', 'spring.plan');
    expect([code, posts]).toEqual([0, 1]);
    expect(requests).toContain('1 × PUT /concepts/{id}/');
  });

  it('of a campaign that was never applied starts it', async () => {
    const campaign = await applied.copy();
    await campaign.rename('spring.default.state.jsonl', 'aside');
    expect((await campaign.run(['plan'])).code).toBe(76);
    await campaign.run(['state', 'new', '--yes']);
    await campaign.run(['plan', '--out', 'spring.plan']);
    expect(await campaign.apply('--plan', 'spring.plan')).toMatchObject({ code: 0, posts: 7 });
  });

  it('does not hold once the manifest was edited', async () => {
    const campaign = await planned();
    await campaign.change('On a chair', 'On a table');
    await expectRefused(campaign, 'the manifest or its images have changed since');
  });

  it('does not hold once a photo was replaced', async () => {
    const campaign = await planned();
    await campaign.write('shots/cup.png', await photo('new'));
    await expectRefused(campaign, 'the manifest or its images have changed since');
  });

  it('does not hold once another run changed the state', async () => {
    const campaign = await planned();
    await campaign.run(['state', 'accept', 'campaign.yaml', 'media/hero/1']);
    await expectRefused(campaign, 'the state has moved on since');
  });

  it('does not hold for another campaign', async () => {
    const campaign = await planned();
    await campaign.change('name: spring', 'name: summer');
    await campaign.run(['state', 'new', '--state', 'summer.state.jsonl', '--yes']);
    const { code, stderr } = await campaign.apply('--plan', 'spring.plan', '--state', 'summer.state.jsonl');
    expect(code).toBe(5);
    expect(stderr).toContain('it was made for another campaign, environment or base URL');
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"format_version":"1.0"}',
    '{"format_version":"2.0","identity":{},"wishes":{}}',
    '\0',
  ])('is not just any file: %j', async (content) => {
    const campaign = await applied.copy();
    await campaign.write('spring.plan', content);
    const { code, stderr, requests } = await campaign.apply('--plan', 'spring.plan');
    expect({ code, requests }).toEqual({ code: 64, requests: [] });
    expect(stderr).toContain('spring.plan is not a plan that `campaign plan --out` of this version wrote.');
  });

  it('that is not there is wrong usage', async () => {
    const campaign = await applied.copy();
    expect(await campaign.apply('--plan', 'nowhere.plan')).toMatchObject({ code: 64, requests: [] });
  });
});

describe('plan --detailed-exitcode', () => {
  const codeOf = async (campaign: EditedCampaign) =>
    (await campaign.run(['plan', '--detailed-exitcode'])).code;

  it('is 0 for nothing and for renames, 2 where something would be sent', async () => {
    const campaign = await applied.copy();
    expect(await codeOf(campaign)).toBe(0);
    await campaign.change('kitchen', 'salon');
    expect(await codeOf(campaign)).toBe(0);
    await campaign.change('On a chair', 'On a table');
    expect(await codeOf(campaign)).toBe(2);
  });
});
