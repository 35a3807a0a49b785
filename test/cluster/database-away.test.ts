/**
 * The database of a run is killed in its middle, or takes no records for a while, and comes back: nobody gives up, and nothing
 * is unknown.
 */
import { describe, expect, it } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasOwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = IS_FULL ? 100 : 10;
const SMALL = 6;
/** So long it is away; in `npm run test:system` it is started again at once. In the last case nobody was heard of for too long. */
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

/** What the server says of each record for a while, and how often it has said it. */
const REFUSING = (code: string) => `
  create sequence refusals;
  create function refuse() returns trigger language plpgsql as $$
  begin
    perform nextval('refusals');
    raise exception 'not now' using errcode = '${code}';
  end $$;
  create trigger refuse before insert on campaign.event for each row execute function refuse()`;

const FULL_DISK = '53100';

async function refusedOften(url: string): Promise<void> {
  for (let refusals = 0; refusals < 3; ) {
    const [row] = await runSql(
      url,
      'select case when is_called then last_value else 0 end as n from refusals',
    );
    refusals = Number(row?.['n']);
  }
}

describe.runIf(hasPostgres)('a run whose database takes no records for a moment', () => {
  it.each([
    ['its disk is full', FULL_DISK, 1],
    ['its disk is full', FULL_DISK, 0],
    ['its disk has an error', '58030', 1],
    ['it has no memory', '53200', 1],
    ['somebody cancels what is asked', '57014', 1],
    ['a transaction was idle for too long', '25P03', 1],
  ] as const)('goes on afterwards: %s (%s), %i workers', async (_, code, count) => {
    // Something is left to be recorded then.
    const requests = deferred<void>();
    const waits = (route: string) => (route === 'POST /media-config/' ? requests.promise : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(SMALL), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const workers = Array.from({ length: count }, () =>
      campaign.start(['worker', '--json', '--slots', '2'], env),
    );
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    const apply = campaign.start(['apply', 'm.yaml'], env);
    await madeAtLeast(service, 2);
    await runSql(url, REFUSING(code));
    requests.resolve();
    if (code === FULL_DISK) {
      // Whoever has something to record says it.
      const says = `The database of the state takes nothing just now.*not now. The run waits for it for up to ${count > 0 ? '10 minutes' : '1 minute'}, and requests nothing meanwhile`;
      await Promise.any([apply, ...workers].map((process) => process.seen(new RegExp(says, 's'))));
    } else await refusedOften(url);
    await runSql(url, 'drop trigger refuse on campaign.event');
    const { code: exit, stderr } = await apply.end;
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
    for (const worker of workers) {
      worker.process.kill('SIGTERM');
      expect(await worker.end).toMatchObject({ code: 0 });
    }
    expect(await checkLedger(service, campaign, env)).toEqual([]);
    await checkComplete(service, campaign, { env, count: SMALL });
  });
});
