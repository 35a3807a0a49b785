/** Workers of several versions at one database: what a worker does not know it leaves to others, and says so. */
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, dumpOf, manyProducts } from './shared-campaign.ts';

const OTHER_RUN = `
  with other as (
    insert into campaign.campaign (name, environment, base_url) values ('other', 'default', 'http://127.0.0.1') returning id
  )
  insert into campaign.run (campaign, run, command, host, pid, shared, account)
    select id, 'other', 'campaign apply', 'here', 1, '{"format":99}', 'other' from other`;

it.runIf(hasPostgres)(
  'a worker waits while the tables are of another version, and leaves a run of another version',
  async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(3), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    await runSql(url, OTHER_RUN);
    const worker = campaign.start(['worker', '--json'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    expect(JSON.parse(await worker.seen(/run-of-other-version/))).toMatchObject({
      type: 'waiting',
      run: 1,
      summary: 'A run was begun by another version of campaign',
      detail: expect.stringMatching(
        /^Run 1 has the format 99, and this version carries out the format 1\. It is left to workers/,
      ),
    });

    await runSql(url, 'update campaign.schema_version set version = 99');
    expect(JSON.parse(await worker.seen(/state-newer-format/))).toMatchObject({
      type: 'waiting',
      detail: expect.stringMatching(
        /its tables have version 99, and this campaign works with version \d+ only\. Nothing was changed/,
      ),
    });
    const refused = await campaign.run(['apply', 'm.yaml'], env);
    expect(refused).toMatchObject({ code: 76 });
    expect(service.requests).toEqual([]);

    await runSql(url, 'update campaign.schema_version set version = 1');
    expect(await campaign.run(['apply', 'm.yaml', '--no-work'], env)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: 3 });
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
  },
);

it.runIf(hasPostgres)(
  'campaign stop leaves a run of another version as it is, and says what ends it',
  async () => {
    const campaign = await campaignFolder(manyProducts(1), { url: 'https://service.example' });
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    await runSql(
      url,
      `update campaign.run set shared = (shared::jsonb || '{"format":99}')::json where ended_at is null`,
    );
    const before = await dumpOf(url);
    const { code, stderr } = await campaign.run(['stop', 'm.yaml'], env);
    expect(code).toBe(76);
    expect(stderr).toContain('A run was begun by another version of campaign');
    expect(stderr).toContain('`campaign stop` of that version ends it');
    expect(await dumpOf(url)).toBe(before);
    await runSql(
      url,
      `update campaign.run set shared = (shared::jsonb || '{"format":1}')::json where ended_at is null`,
    );
    expect(await campaign.run(['stop', 'm.yaml'], env)).toMatchObject({ code: 0 });
  },
);
