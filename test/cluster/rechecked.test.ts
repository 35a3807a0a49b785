/** Posts that had failed are looked for again, and take up no room (`limits.media_in_flight`) by that. */
import { expect, it } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { manyProducts } from './shared-campaign.ts';

const LIMITS = 'limits: { media_in_flight: 1 }\n';

it.runIf(hasPostgres)('a shared run has room for a new post beside one that had failed', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['1:1'] }));
  const campaign = await campaignFolder(manyProducts(1, LIMITS), service);
  const url = await makeDatabase();
  const env = { CAMPAIGN_STATE: url };
  expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 1 });
  await campaign.write('m.yaml', manyProducts(2, LIMITS));
  expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
  expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 1 });
  expect(service.created.configs).toHaveLength(2);
  expect(await runSql(url, 'select generating from campaign.run')).toEqual([
    { generating: 0 },
    { generating: 0 },
  ]);
});
