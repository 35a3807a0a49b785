/** The command of `--notify` gets no key, in whatever way the manifest says which variable holds it. */
import { expect, it } from 'vitest';
import { startBareService } from '../../support/bare-service.ts';
import { API_KEY, campaignFolder, SINGLE, untilTestEnds } from '../small-campaign.ts';

it.each([
  ['behind an alias', '*login'],
  ['after a comment', '# where it is\n        LOGIN'],
  ['in a variable of the manifest', '"${{ vars.written }}"'],
  ['in a variable that --var gives', '"${{ vars.told }}_IN"'],
  ['in a variable of the process', '"LOG${{ vars.end }}"'],
])('a key whose variable is named %s stays with campaign', async (_, named) => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const { url } = service;
  const campaign = await campaignFolder(
    `${SINGLE}
description: &login LOGIN
variables: { written: LOGIN, told: NOTHING, end: NOTHING }
service:
  environments:
    shop:
      base_url: ${url}
      api_key_env: ${named}
`,
    service,
  );
  const env = {
    CAMPAIGN_API_KEY: '',
    CAMPAIGN_BASE_URL: '',
    LOGIN: API_KEY,
    LOG_IN: API_KEY,
    CAMPAIGN_VAR_end: 'IN',
  };
  const told = ['--env', 'shop', '--var', 'told=LOG', '--notify', 'env > env.txt'];
  expect(await campaign.runApart(['apply', 'm.yaml', '--quiet', ...told], env)).toMatchObject({
    code: 0,
    stderr: '',
  });
  const kept = await campaign.read('env.txt');
  expect(kept).toContain('CAMPAIGN_OUTCOME=succeeded');
  expect(kept).not.toContain(API_KEY);
});
