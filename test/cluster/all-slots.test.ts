/** What a process may have under way it uses for creates, too: a slot that is kept for a poll would be lost for the account. */
import { expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { startMeter } from './metered-service.ts';
import { manyProducts } from './shared-campaign.ts';

const AT_ONCE = 4;

it.runIf(hasPostgres)(
  'the only worker of a run has as many creates under way as the account allows',
  async () => {
    // Answered only once as many are under way as may be.
    const products = deferred<void>();
    const waits = (route: string) => (route === 'POST /products/' ? products.promise : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const meter = await untilTestEnds(startMeter(service, 0));
    const limits = `limits: { concurrency: ${AT_ONCE} }\n`;
    const campaign = await campaignFolder(manyProducts(2 * AT_ONCE, limits), meter);
    const env = { CAMPAIGN_STATE: await makeDatabase() };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await expect.poll(() => meter.underWay).toBe(AT_ONCE);
    products.resolve();
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    expect(meter.most).toBe(AT_ONCE);
  },
);
