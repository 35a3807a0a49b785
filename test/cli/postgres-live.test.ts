/** `campaign ui` and `status --watch` of a state in a database: one connection each, for a role that only reads. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { hasOwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { runSql } from '../support/postgres.ts';
import { enter, followPage } from '../ui/ui-client.ts';
import { campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';

const READER = `
  create role reader login password 'long';
  grant usage on schema campaign to reader;
  grant select on all tables in schema campaign to reader`;

describe.runIf(hasOwnPostgres)('a state in a database that somebody watches', () => {
  it('is read through one connection, which a restart of the database ends for a moment', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SMALL, service);
    const database = await ownPostgres();
    const url = new URL(database.url);
    const env = { CAMPAIGN_STATE: url.href };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    await runSql(url.href, READER);
    url.username = 'reader';
    url.password = 'long';
    const asReader = { CAMPAIGN_STATE: url.href };
    const sessions = () =>
      runSql(
        database.url,
        `select pid, backend_start::text as since from pg_stat_activity where usename = 'reader' order by pid`,
      );

    const ui = campaign.start(['ui', 'm.yaml', '--json'], asReader);
    const watch = campaign.start(['status', 'm.yaml', '--watch', '--json'], asReader);
    onTestFinished(() => [ui, watch].forEach(({ process }) => process.kill('SIGKILL')));
    const { url: link } = JSON.parse(await ui.seen(/"url"/)) as { url: string };
    const page = followPage(link, await enter(link));
    await page.until(({ report }) => report.counts.missing === 2);
    await watch.seen(/"missing":2/);
    const before = await sessions();
    expect(before).toHaveLength(2);

    expect(await campaign.runApart(['apply', 'm.yaml', '--no-wait'], env)).toMatchObject({ code: 3 });
    await page.until(({ running, report }) => running === null && report.counts.pending === 2);
    await watch.seen(/"pending":2/);
    expect(await sessions()).toEqual(before);

    await database.end();
    const away = await page.until(({ problem }) => problem !== null);
    expect(away).toMatchObject({ report: { counts: { pending: 2 } } });
    expect(away.problem).toContain('The database of the state cannot be used');
    await watch.seen(/database-unreachable/);
    await database.again();
    await page.until(({ problem }) => problem === null);
    expect(await campaign.run(['wait', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await page.until(({ report }) => report.counts.done === 2);
    await watch.seen(/"done":2/);
    await expect.poll(sessions).toHaveLength(2);

    for (const { process } of [ui, watch]) process.kill('SIGINT');
    expect(await ui.end).toMatchObject({ signal: 'SIGINT' });
    expect(await watch.end).toMatchObject({ signal: 'SIGINT' });
  });
});
