/** A campaign that is too small for a spell of 404 to be told from things that were deleted. */
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

it('makes nothing again while nothing shows that the service is well, and goes on with what it had', async () => {
  let isAway = false;
  const service = await untilTestEnds(
    startBareService({
      pendingPolls: 0,
      refuses: (route) => (isAway && route.startsWith('GET ') ? 404 : undefined),
    }),
  );
  const campaign = await campaignFolder(SINGLE, service);
  const run = (...args: string[]) => campaign.run([args[0] ?? '', 'm.yaml', ...args.slice(1)]);
  const creates = () =>
    service.requests.filter(({ method, path }) => method === 'POST' && path !== '/get_auth_token').length;
  expect(await run('apply', '--no-wait', '--quiet')).toMatchObject({ code: 3 });
  const before = creates();
  isAway = true;
  // The product and the request: two are no spell.
  expect((await run('refresh')).stdout).toContain('2 read, 0 as they were, 2 gone.');
  const again = await run('apply', '--recreate-missing', '--yes');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('Not made again, because it is not clear that it is gone: product/tote:');
  expect(again.stderr).toContain('`campaign state rm` forgets it');
  expect(creates()).toBe(before);
  isAway = false;
  expect(await run('apply', '--recreate-missing', '--yes')).toMatchObject({ code: 0 });
  expect(creates()).toBe(before);
  expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
});
