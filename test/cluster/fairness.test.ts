/**
 * A small campaign beside one 50 times larger that has begun before it, with one account and the same workers. It may take
 * five times as long as alone: so the large one may have four requests of every five meanwhile, however fast the machine is.
 */
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = 6;
const LIMITS = 'limits: { concurrency: 6 }\n';

/**
 * What each campaign's requests came to, from the first request of the small one to its end: that workers look for new runs
 * once a second keeps it waiting alone, too.
 */
const DONE_MEANWHILE = `
with ended as (select * from campaign.event where line ~ '"type":"(uploaded|created|generated|downloaded)"'),
  small as (select e.campaign, min(e.at) filter (where line ~ '"type":"(intent|uploaded)"') as first, max(e.at) as last
    from campaign.event e
    join campaign.campaign c on c.id = e.campaign where c.name = 'small' group by 1)
select count(*) filter (where e.campaign = s.campaign)::int as small,
  count(*) filter (where e.campaign <> s.campaign)::int as large
from ended e, small s where e.at between s.first and s.last`;

it.runIf(hasPostgres)(
  'a small campaign is not kept waiting by one 50 times larger that was there before it',
  async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const [large, small] = await Promise.all([
      campaignFolder(manyProducts(50 * COUNT, LIMITS), service),
      campaignFolder(manyProducts(COUNT, LIMITS).replace('name: many', 'name: small'), service),
    ]);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await large.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const workers = [1, 2].map(() => large.start(['worker', '--json', '--slots', '8'], env));
    // Nobody waits for the large one to end.
    onTestFinished(() => workers.forEach(({ process }) => void process.kill('SIGKILL')));
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    expect(await large.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    await madeAtLeast(service, 5);

    expect(await small.run(['apply', 'm.yaml', '--no-work'], env)).toMatchObject({ code: 0 });
    const [done] = await runSql(url, DONE_MEANWHILE);
    const [left] = await runSql(
      url,
      `select count(*)::int as n from campaign.node where ended is null and kind = 'product'`,
    );
    // There was always something to do for the large one: else it could not have been in the way.
    expect(left?.['n']).toBeGreaterThan(0);
    expect(done?.['small']).toBe(2 + 4 * COUNT);
    expect(done?.['large']).toBeLessThanOrEqual(4 * (2 + 4 * COUNT));
  },
);
