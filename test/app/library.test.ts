import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { applyCampaign, type Campaign, loadCampaign, planCampaign } from '../../src/app/library.ts';
import { API_KEY, campaignFolder, SMALL, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';

/** A campaign at a service, loaded with variables of its own, and its service. */
async function loaded(): Promise<{ campaign: Campaign; requests: readonly unknown[] }> {
  const service = await untilTestEnds(startBareService());
  const { folder } = await campaignFolder(SMALL, service);
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const campaign = await loadCampaign(`${folder}/m.yaml`, { env });
  if (!campaign.ok) throw new Error(JSON.stringify(campaign.error));
  return { campaign: campaign.value, requests: service.requests };
}

it('a campaign that is printed shows no key of the variables that were passed in', async () => {
  const { campaign } = await loaded();
  expect(inspect(campaign, { depth: Infinity, showHidden: true })).not.toContain(API_KEY);
  expect(JSON.stringify(campaign)).not.toContain(API_KEY);
  expect((await planCampaign(campaign)).ok).toBe(true);
});

it('NODE_DEBUG of the process is refused, whatever variables were passed in: Node would print the token', async () => {
  const { campaign, requests } = await loaded();
  vi.stubEnv('NODE_DEBUG', 'http');
  const { exit } = await applyCampaign(campaign).end;
  vi.unstubAllEnvs();
  expect({ exit, requests }).toEqual({ exit: 78, requests: [] });
});

it.each([0, -1, Number.NaN, 0.5])(
  'a concurrency of %s is refused, as nothing would ever be begun',
  async (concurrency) => {
    const { campaign } = await loaded();
    expect(() => applyCampaign(campaign, { concurrency })).toThrow(RangeError);
  },
);

it('a copy of a campaign is none', async () => {
  const { campaign } = await loaded();
  await expect(planCampaign({ ...campaign })).rejects.toThrow(TypeError);
});
