/** The database of a shared run is killed in its middle, and comes back: nobody gives up, and nothing is unknown. */
import { describe, expect, it } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasOwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { runSql } from '../support/postgres.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = IS_FULL ? 100 : 10;
/** So long it is away; in `npm test` it is started again at once. In the last case nobody was heard of for too long. */
const AWAY_MS = IS_FULL ? [5_000, 15_000] : [0];

describe.runIf(hasOwnPostgres)('a shared run whose database crashes', () => {
  it.each(AWAY_MS)(
    'goes on once that is back, and ends as if nothing had been: away for %i ms',
    async (ms) => {
      const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
      const campaign = await campaignFolder(manyProducts(COUNT), service);
      const database = await ownPostgres();
      const env = { CAMPAIGN_STATE: database.url };
      expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
      const worker = campaign.start(['worker', '--json', '--slots', '4'], env);
      await worker.seen(/"ready"/);
      const apply = campaign.start(['apply', 'm.yaml'], env);
      await madeAtLeast(service, 4);
      await database.end();
      await new Promise((resolve) => setTimeout(resolve, ms));
      await database.again();
      const { code, stderr } = await apply.end;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      // Nothing was taken from anybody.
      const lost = 'select data from campaign_queue.job where retry_count > 0';
      expect(await runSql(database.url, lost)).toEqual([]);
      worker.process.kill('SIGTERM');
      expect(await worker.end).toMatchObject({ code: 0 });
      expect(await checkLedger(service, campaign, env)).toEqual([]);
      await checkComplete(service, campaign, { env, count: COUNT });
    },
  );
});
