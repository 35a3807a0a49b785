/** A process that leaves a shared run takes nothing away from those who stay. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { manyProducts } from './shared-campaign.ts';

describe.runIf(hasPostgres)('a worker that leaves a run', () => {
  it('in which no more may be bought leaves its posts to the others, which poll them to their end', async () => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls }));
    const budget = 'budget: { per_month: { posts: 3 } }\n';
    const campaign = await campaignFolder(manyProducts(2, budget), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    const startWorker = () => {
      const run = campaign.start(['worker', '--json'], env);
      onTestFinished(() => void run.process.kill('SIGKILL'));
      return run;
    };
    const count = async (where: string) => {
      const [row] = await runSql(url, `select count(*)::int as n from campaign.node where ${where}`);
      return row?.['n'];
    };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    // Another campaign of the account has bought meanwhile: of two posts one fits.
    await runSql(
      url,
      `insert into campaign.spent (account, state, month, posts, cost)
        select account, 'another', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM'), 2, 0 from campaign.run`,
    );
    const leaving = startWorker();
    await expect.poll(() => count(`kind = 'media-config' and ended = 'put-off'`)).toBe(1);
    await expect.poll(() => service.created.configs).toHaveLength(1);
    const staying = startWorker();
    await staying.seen(/"joined"/);
    leaving.process.kill('SIGTERM');
    expect(await leaving.end).toMatchObject({ code: 0 });
    pendingPolls = 0;
    await expect.poll(() => count(`kind = 'download' and ended = 'done'`)).toBe(1);
    staying.process.kill('SIGTERM');
    expect(await staying.end).toMatchObject({ code: 0 });
  });
});
