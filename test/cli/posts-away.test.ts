/** Only the path of posts answers 404, as where a gateway has lost one route: fewer than half of all that is read. */
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { FULL } from './pruned-campaign.ts';
import { campaignFolder, untilTestEnds } from './small-campaign.ts';

it('takes no finished post for gone, so that --recreate-missing does not pay for it again', async () => {
  let isAway = false;
  const service = await untilTestEnds(
    startBareService({
      pendingPolls: 0,
      refuses: (route) => (isAway && route.startsWith('GET /media/') ? 404 : undefined),
    }),
  );
  const campaign = await campaignFolder(`${FULL}outputs: false\n`, service);
  expect(await campaign.run(['apply', 'm.yaml', '--quiet'])).toMatchObject({ code: 0 });
  isAway = true;
  const { code, stdout } = await campaign.run(['refresh', 'm.yaml']);
  expect(code).toBe(3);
  expect(stdout).toContain('7 read, 4 as they were, 3 not clear.');
  expect(stdout).toContain('It says 404 for every post, though it has their requests.');
  const again = await campaign.run(['apply', 'm.yaml', '--recreate-missing', '--yes']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes.')]);
  expect(service.created.configs).toHaveLength(2);
});
